/** What a client wrote cannot be read (RFC 9051 7.1.3): `BAD text`. */
export class BadCommand extends Error {}

/** A command as it came: its lines without CR, the announcement of a literal at the end of a line, and the literals. */
export interface CommandText {
  /** One character a byte. */
  text: string;
  literals: readonly Uint8Array[];
}

/** Pairs of the first and last number of a range, in any order; `Infinity` for `*`. `$`: what the last search saved (RFC 5182). */
export type SequenceSet = readonly number[] | '$';

const ATOM = /[!#$&'+-Z[^-z|}~]+/y;
const ASTRING = /[!#$&'+-Z[\]^-z|}~]+/y;
const LIST_PATTERN = /[!#$%&'*-Z[\]^-z|}~]+/y;
const TAG = /[!#$&',-Z[\]^-z|}~]{1,100} /y;
const FLAG = /\\?[!#$&'+-Z[\]^-z|}~]+/y;
const NUMBER = /\d{1,16}(?!\d)/y;
const RANGE = /(\d{1,10}|\*)(?::(\d{1,10}|\*))?(?!\d)/y;
const LITERAL = /(~?)\{(\d+)\+?\}\n/y;

const QUOTE = 34;
const BACKSLASH = 92;

const RANGES_MAX = 50_000;
const LIST_MAX = 1000;
/** The largest UID and sequence number. */
const UID_MAX = 4_294_967_295;

/** The tag of a command; null if it has none. */
export function tagAt(command: string): string | null {
  TAG.lastIndex = 0;
  return TAG.exec(command)?.[0].trimEnd() ?? null;
}

/** Reads a command from left to right (RFC 9051 9). Every method throws {@link BadCommand} when something else is there. */
export class Cursor {
  readonly #text: string;
  readonly #literals: readonly Uint8Array[];
  #at = 0;
  #literalsRead = 0;

  constructor({ text, literals }: CommandText) {
    if (text.includes('\0')) throw new BadCommand('NUL is not allowed');
    this.#text = text;
    this.#literals = literals;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Whether this character is next. */
  sees(character: string): boolean {
    return this.#text.startsWith(character, this.#at);
  }

  /** The next character, '' at the end. */
  next(): string {
    return this.#text.charAt(this.#at);
  }

  /** Passes over characters if they are next. */
  skip(characters: string): boolean {
    if (!this.sees(characters)) return false;
    this.#at += characters.length;
    return true;
  }

  /** Passes over a word and a space, in any case, if they are next. */
  skipWord(word: string): boolean {
    const found = this.#text.slice(this.#at, this.#at + word.length + 1).toUpperCase() === `${word} `;
    if (found) this.#at += word.length + 1;
    return found;
  }

  expect(characters: string): void {
    if (!this.skip(characters)) throw new BadCommand(`Expected ${characters === ' ' ? 'a space' : characters}`);
  }

  space(): void {
    this.expect(' ');
  }

  /** All that follows. */
  rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  end(): void {
    // A space at the end is what some programs write.
    this.skip(' ');
    if (!this.atEnd) throw new BadCommand('Too many arguments');
  }

  /** What a sticky pattern matches here, or null. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #must(pattern: RegExp, what: string): string {
    const found = this.match(pattern);
    if (found === null) throw new BadCommand(`Expected ${what}`);
    return found[0];
  }

  tag(): string {
    return this.#must(TAG, 'a tag').trimEnd();
  }

  atom(): string {
    return this.#must(ATOM, 'an atom');
  }

  /** An atom in upper case. */
  word(): string {
    return this.atom().toUpperCase();
  }

  /** A system flag or a keyword. */
  flag(): string {
    return this.#must(FLAG, 'a flag');
  }

  /** Of RFC 9051 9 `number64`. */
  number(): number {
    const value = Number(this.#must(NUMBER, 'a number'));
    if (!Number.isSafeInteger(value)) throw new BadCommand('Number too large');
    return value;
  }

  /** An atom, a quoted string or a literal. */
  astring(): string {
    return textOf(this.astringBytes());
  }

  astringBytes(): Uint8Array {
    const found = this.match(ASTRING);
    return found === null ? this.bytes() : Buffer.from(found[0], 'latin1');
  }

  /** A pattern of mailbox names (RFC 9051 9 `list-mailbox`). */
  listPattern(): string {
    const found = this.match(LIST_PATTERN);
    return found === null ? textOf(this.bytes()) : found[0];
  }

  /** A quoted string or a literal. */
  bytes(): Uint8Array {
    return this.sees('"') ? this.#quoted() : this.literal();
  }

  #quoted(): Buffer {
    let read = '';
    let from = this.#at + 1;
    for (let at = from; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return Buffer.from(read + this.#text.slice(from, at), 'latin1');
      }
      if (code === 10 || code === 13) break;
      if (code !== BACKSLASH) continue;
      read += this.#text.slice(from, at);
      from = at + 1;
      at += 1;
    }
    throw new BadCommand('A quoted string does not end');
  }

  literal(): Uint8Array {
    if (this.match(LITERAL) === null) throw new BadCommand('Expected a string');
    const bytes = this.#literals[this.#literalsRead];
    if (bytes === undefined) throw new BadCommand('Expected a literal');
    this.#literalsRead += 1;
    return bytes;
  }

  /** `(a b c)`, also empty. */
  list<T>(item: () => T): T[] {
    this.expect('(');
    const items: T[] = [];
    if (this.skip(')')) return items;
    do {
      if (items.length === LIST_MAX) throw new BadCommand('List too long');
      items.push(item());
    } while (this.skip(' '));
    this.expect(')');
    return items;
  }

  /** RFC 9051 9 `sequence-set`, and `$`. */
  sequenceSet(): SequenceSet {
    if (this.skip('$')) return '$';
    const ranges: number[] = [];
    do {
      const found = this.match(RANGE);
      if (found === null) throw new BadCommand('Expected a set of numbers');
      const from = numberOf(found[1] ?? '');
      ranges.push(from, found[2] === undefined ? from : numberOf(found[2]));
      if (ranges.length > 2 * RANGES_MAX) throw new BadCommand('Set too long');
    } while (this.skip(','));
    return ranges;
  }
}

function numberOf(text: string): number {
  if (text === '*') return Number.POSITIVE_INFINITY;
  const number = Number(text);
  if (number < 1 || number > UID_MAX) throw new BadCommand('No such number');
  return number;
}

/** Bytes as UTF-8; what is none becomes U+FFFD. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
