import type { MemoryShare } from '../smtp-in/shared-memory.ts';
import { MessageBuffer } from '../smtp-in/smtp-data-stream.ts';
import { type CommandText, tagAt } from './imap-cursor.ts';

/** RFC 7888 5: the most that a client may send in a literal without being asked for it. */
const UNASKED_LITERAL_BYTES = 4096;
/** A session that waits holds no more than this without counting it. */
const UNCOUNTED_BYTES = 4096;
/** How much a client may send ahead of what is read. */
const AHEAD_BYTES = 65_536;
/** A literal up to this length is one piece of memory from the begin. */
const SMALL_LITERAL_BYTES = 65_536;
const LITERALS_MAX = 1000;

const LF = 10;
const CR = 13;
const ANNOUNCED = /(~?)\{(\d+)(\+?)\}$/;
const NOTHING = Buffer.alloc(0);

/** Where the bytes of a literal go. */
interface Sink {
  target: Buffer | MessageBuffer;
  missing: number;
}

/** What of a command that is not read to its end its answer repeats: a tag, and nothing else that was sent. */
const tagOf = (command: string): string => tagAt(command) ?? '*';

/** The session cannot go on after what came: it answers `text` and ends. */
export class InputEnd extends Error {}

/** A command that is refused before its literal is asked for. The session goes on. */
interface RefusedLiteral {
  refused: { tag: string; text: string };
}

interface InputRules {
  /** The most bytes that the lines of a command may have. */
  commandBytes(): number;
  /** Why a command may not have this many bytes of literals: `NO [TOOBIG] …`. `head`: the command so far */
  refusal(head: string, bytes: number): string | null;
  /** Lets the client send the literal. */
  ask(): void;
  /** Stops and resumes reading from the client. */
  pause(): void;
  resume(): void;
}

/** Cuts what a client sends into lines, literals and commands, in bounded memory. */
export class ImapInput {
  readonly #rules: InputRules;
  readonly #share: MemoryShare;
  #held: Buffer = NOTHING;
  #from = 0;
  #to = 0;
  #counted = 0;
  #sink: Sink | null = null;
  /** What gives back the memory of the literals. */
  #literals: (() => void)[] = [];
  #wake: (() => void) | null = null;
  #paused = false;
  #ended = false;
  #overfull = false;

  constructor(rules: InputRules, share: MemoryShare) {
    this.#rules = rules;
    this.#share = share;
  }

  /** Whether something came that was not read yet. */
  get hasMore(): boolean {
    return this.#to > this.#from;
  }

  /** What came from the client. */
  feed(chunk: Buffer): void {
    const rest = this.#sink === null ? chunk : this.#fill(this.#sink, chunk);
    if (rest.length > 0) this.#keep(rest);
    if (this.#wake === null && this.#to - this.#from >= AHEAD_BYTES && !this.#paused) {
      this.#paused = true;
      this.#rules.pause();
    }
    this.#awake();
  }

  /** Nothing more comes. */
  end(): void {
    this.#ended = true;
    this.discard();
    this.release();
    this.#awake();
  }

  /** Forgets what came and was not read (RFC 9051 6.2.1). */
  discard(): void {
    this.#from = 0;
    this.#to = 0;
    this.#replace(NOTHING);
  }

  /** Gives back the memory of the last command's literals. */
  release(): void {
    for (const give of this.#literals) give();
    this.#literals = [];
  }

  /**
   * The next command; null at the end of the connection.
   * @throws InputEnd
   */
  async command(): Promise<CommandText | RefusedLiteral | null> {
    const literals: Uint8Array[] = [];
    let text = '';
    let bytes = 0;
    for (;;) {
      const line = await this.line(this.#rules.commandBytes() - bytes);
      if (line === null) return null;
      text += line;
      bytes += line.length;
      const announced = ANNOUNCED.exec(line.slice(-24));
      if (announced === null) return { text, literals };
      text += '\n';
      const taken = await this.#literal(text, announced, literals);
      if (taken === null) return null;
      if (typeof taken === 'string') return { refused: { tag: tagOf(text), text: taken } };
      literals.push(taken);
    }
  }

  /** A literal; why it is refused; or null at the end. @throws InputEnd */
  async #literal(
    head: string,
    [, binary, digits, plus]: RegExpExecArray,
    before: readonly Uint8Array[],
  ): Promise<Uint8Array | string | null> {
    const length = Number(digits);
    const asked = plus === '';
    // RFC 3516 4.4: BINARY is for FETCH alone.
    let refusal = binary === '~' && asked ? 'NO [UNKNOWN-CTE] Send a literal without ~' : null;
    if (!asked && length > UNASKED_LITERAL_BYTES)
      refusal = `BAD A literal of more than ${UNASKED_LITERAL_BYTES} bytes needs {n}`;
    if (before.length >= LITERALS_MAX) refusal = 'BAD Too many literals';
    refusal ??= this.#rules.refusal(
      head,
      before.reduce((sum, literal) => sum + literal.length, length),
    );
    const sink = refusal === null ? this.#sinkOf(length) : null;
    if (sink === null) {
      refusal ??= 'NO [UNAVAILABLE] Too much at once, try again later';
      // What was not asked for comes all the same, and would be read as commands.
      if (!asked) throw new InputEnd(`${tagOf(head)} ${refusal}`);
      return refusal;
    }
    if (asked) this.#rules.ask();
    const rest = this.#fill(sink, this.#held.subarray(this.#from, this.#to));
    this.#from = this.#to - rest.length;
    this.#shrink();
    this.#sink = sink;
    while (sink.missing > 0) if (!(await this.#more())) return null;
    this.#sink = null;
    const { target } = sink;
    if (!(target instanceof MessageBuffer)) return target;
    return target.refusal === null ? target.take(NOTHING) : 'NO [UNAVAILABLE] Too much at once, try again later';
  }

  #sinkOf(length: number): Sink | null {
    if (length > SMALL_LITERAL_BYTES) {
      const target = new MessageBuffer(this.#share, length);
      this.#literals.push(() => target.release());
      return { target, missing: length };
    }
    if (!this.#share.take(length)) return null;
    this.#literals.push(() => this.#share.give(length));
    return { target: Buffer.allocUnsafeSlow(length), missing: length };
  }

  /** @returns what does not belong to the literal */
  #fill(sink: Sink, chunk: Buffer): Buffer {
    const part = chunk.subarray(0, sink.missing);
    if (sink.target instanceof MessageBuffer) sink.target.add(part);
    else part.copy(sink.target, sink.target.length - sink.missing);
    sink.missing -= part.length;
    return chunk.subarray(part.length);
  }

  /**
   * The next line, without its end; null at the end of the connection.
   * @throws InputEnd when it has more bytes than this
   */
  async line(bytesMax: number): Promise<string | null> {
    let looked = 0;
    for (;;) {
      const at = this.#held.subarray(this.#from + looked, this.#to).indexOf(LF);
      const length = at < 0 ? this.#to - this.#from : looked + at;
      if (length > bytesMax) throw new InputEnd('* BAD Command too long');
      if (this.#overfull) throw new InputEnd('* BYE [UNAVAILABLE] Too much at once, try again later');
      if (at >= 0) {
        const end = this.#from + length;
        const line = this.#held.toString(
          'latin1',
          this.#from,
          length > 0 && this.#held[end - 1] === CR ? end - 1 : end,
        );
        this.#from = end + 1;
        this.#shrink();
        return line;
      }
      looked = length;
      if (!(await this.#more())) return null;
    }
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false;
    if (this.#paused) {
      this.#paused = false;
      this.#rules.resume();
    }
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return !this.#ended;
  }

  #awake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  #keep(rest: Buffer): void {
    const needed = this.#to - this.#from + rest.length;
    if (this.#held.length - this.#to < rest.length) {
      // Twice of what is needed: a client that sends single bytes must not cost a copy for each.
      const grown = Buffer.allocUnsafeSlow(needed <= 256 ? 256 : needed * 2);
      this.#held.copy(grown, 0, this.#from, this.#to);
      this.#to -= this.#from;
      this.#from = 0;
      if (!this.#replace(grown)) return;
    }
    this.#to += rest.copy(this.#held, this.#to);
  }

  #shrink(): void {
    if (this.#from === this.#to) this.discard();
  }

  /** False when the memory of all sessions is used up. */
  #replace(held: Buffer): boolean {
    this.#share.give(this.#counted);
    this.#counted = held.length <= UNCOUNTED_BYTES ? 0 : held.length;
    if (this.#counted > 0 && !this.#share.take(this.#counted)) {
      this.#counted = 0;
      this.#overfull = true;
      return false;
    }
    this.#held = held;
    return true;
  }
}
