import { Turns } from '../../../base/clock.ts';
import { type ImapContext, SessionEnd } from '../imap-context.ts';
import { BadCommand, type Cursor, type SequenceSet } from '../imap-cursor.ts';
import { type FetchedMail, type FlaggedMail, type ImapPart, ImapRefusal } from '../imap-store.ts';
import { imapFlags, imapString, internalDate } from '../imap-text.ts';
import { decodedPart, HeaderReader, partOf, sectionOf } from '../mail-section.ts';
import { commonRanges, rangesOf, rangesOfSet, setOfRanges } from '../number-ranges.ts';
import { vanishedRanges } from '../selected-folder.ts';
import { envelopeText, structureText } from '../structure-text.ts';
import { type ByteRange, type FetchItem, fetchItems, marksSeen, wantsOf } from './fetch-items.ts';

/** How many mails are asked for at once. */
const BATCH = 500;
/** When it also marks them as read: those that a client does not wait for should stay unread. */
const MARKED_BATCH = 50;

interface Modifiers {
  changedSince: number | null;
  vanished: boolean;
}

/** FETCH and UID FETCH (RFC 9051 6.4.5, RFC 7162 3.1.4, 3.2.6). */
export async function fetchCommand(ctx: ImapContext, cursor: Cursor, byUid: boolean): Promise<string> {
  const set = cursor.sequenceSet();
  cursor.space();
  const items = fetchItems(cursor);
  const { changedSince, vanished } = modifiersAt(cursor);
  cursor.end();
  if (vanished && !(byUid && ctx.enabled.qresync && changedSince !== null)) {
    throw new BadCommand('VANISHED needs UID FETCH, CHANGEDSINCE and ENABLE QRESYNC');
  }
  await ctx.sync(byUid, false);
  const add = (kind: 'UID' | 'MODSEQ'): void => {
    if (!items.some((item) => item.kind === kind)) items.unshift({ kind });
  };
  if (changedSince !== null) add('MODSEQ');
  if (byUid) add('UID');
  if (items.some(({ kind }) => kind === 'MODSEQ')) ctx.enabled.condstore = true;
  let uids = ctx.pick(set, byUid);
  if (changedSince !== null) {
    const changes = await ctx.open.changesSince(ctx.folder.folder, changedSince);
    const changed = new Set(changes.changed.map(({ uid }) => uid));
    if (vanished) tellVanished(ctx, set, vanishedRanges(changes.vanished, ctx.folder.uids, changes.uidNext));
    uids = uids.filter((uid) => changed.has(uid));
  }
  const fetch = new Fetch(ctx, items);
  await fetch.run(uids);
  if (fetch.unknownEncoding) throw new ImapRefusal('UNKNOWN-CTE', 'A part has an encoding that is not known');
  return 'FETCH completed';
}

function modifiersAt(cursor: Cursor): Modifiers {
  const modifiers: Modifiers = { changedSince: null, vanished: false };
  if (!cursor.skip(' (')) return modifiers;
  do {
    const word = cursor.word();
    if (word === 'VANISHED') modifiers.vanished = true;
    else if (word === 'CHANGEDSINCE') {
      cursor.space();
      modifiers.changedSince = cursor.number();
    } else throw new BadCommand('Unknown modifier of FETCH');
  } while (cursor.skip(' '));
  cursor.expect(')');
  return modifiers;
}

function tellVanished(ctx: ImapContext, set: SequenceSet, gone: ReturnType<typeof vanishedRanges>): void {
  const asked = set === '$' ? rangesOf(ctx.saved) : rangesOfSet(set, ctx.folder.uids.last);
  const both = commonRanges(gone, asked);
  if (both.length > 0) ctx.out.line(`* VANISHED (EARLIER) ${setOfRanges(both)}`);
}

/** One FETCH at work. */
class Fetch {
  readonly #ctx: ImapContext;
  readonly #items: readonly FetchItem[];
  readonly #marks: boolean;
  /** Pieces of mails are asked for, and nothing that a piece of before does not have. */
  readonly #inPieces: boolean;
  /** An asked part has an unknown encoding. */
  unknownEncoding = false;
  /** A command may ask for many pieces of a part. */
  #lastDecoded: { part: ImapPart; bytes: Uint8Array | null } | null = null;
  readonly #decodes: boolean;
  readonly #headers = new HeaderReader();
  readonly #turns = new Turns();

  constructor(ctx: ImapContext, items: readonly FetchItem[]) {
    this.#ctx = ctx;
    this.#items = items;
    this.#inPieces =
      items.some((item) => item.kind === 'section' && item.partial !== null) &&
      items.every(({ kind }) => kind === 'section' || kind === 'UID' || kind === 'FLAGS' || kind === 'MODSEQ');
    this.#decodes = items.some(({ kind }) => kind === 'binary' || kind === 'binarySize');
    this.#marks = marksSeen(items) && !ctx.folder.readOnly;
  }

  async run(uids: Uint32Array): Promise<void> {
    const { open, folder, out } = this.#ctx;
    const wants = wantsOf(this.#items);
    const size = this.#marks ? MARKED_BATCH : BATCH;
    for (let at = 0; at < uids.length && !out.closed; at += size) {
      const batch = Array.from(uids.subarray(at, at + size));
      const marked = this.#marks ? await this.#mark(batch) : NONE;
      if (wants === null) {
        for (const mail of await open.flags(folder.folder, batch)) await this.#say(mail, null, marked);
      } else if (!(await this.#sayRecent(batch, marked))) {
        for await (const mail of open.fetch(folder.folder, batch, wants)) {
          await this.#sayMail(mail, marked);
          if (this.#inPieces && mail.bytes !== null) {
            this.#ctx.recent = { folder: folder.folder, mail: new WeakRef(mail) };
          }
          if (out.closed) break;
        }
      }
    }
  }

  /** Whether one mail was asked for that is at hand: a client that reads in pieces would have it read for each. */
  async #sayRecent([uid, ...more]: readonly number[], marked: ReadonlySet<number>): Promise<boolean> {
    const { open, folder, recent } = this.#ctx;
    const mail =
      this.#inPieces && more.length === 0 && recent?.folder === folder.folder ? recent.mail.deref() : undefined;
    if (mail === undefined || mail.uid !== uid) return false;
    // What a mail is never changes; its flags do.
    const [flagged] = await open.flags(folder.folder, [uid]);
    if (flagged === undefined) return false;
    await this.#sayMail({ ...mail, ...flagged }, marked);
    return true;
  }

  /** Marks as read. @returns those that were not */
  async #mark(uids: readonly number[]): Promise<ReadonlySet<number>> {
    const { open, folder } = this.#ctx;
    const unread = (await open.flags(folder.folder, uids))
      .filter(({ flags }) => !flags.includes('\\Seen'))
      .map(({ uid }) => uid);
    if (unread.length === 0) return NONE;
    const change = { does: 'add', flags: ['\\Seen'], unchangedSince: null } as const;
    const { changed } = await open.store(folder.folder, unread, change);
    for (const mail of changed) folder.told(mail);
    return new Set(changed.map(({ uid }) => uid));
  }

  /** Says a mail, whose bytes count as long as the client takes to read them. */
  async #sayMail(mail: FetchedMail, marked: ReadonlySet<number>): Promise<void> {
    const { memory } = this.#ctx;
    const bytes = mail.bytes?.length ?? 0;
    const counted = bytes > UNCOUNTED_BYTES ? bytes * (this.#decodes ? 2 : 1) : 0;
    if (counted > 0 && !memory.take(counted)) throw new SessionEnd('[UNAVAILABLE] Too much at once, try again later');
    try {
      await this.#say(mail, mail, marked);
    } finally {
      this.#lastDecoded = null;
      memory.give(counted);
    }
  }

  async #say(flagged: FlaggedMail, mail: FetchedMail | null, marked: ReadonlySet<number>): Promise<void> {
    const { out, folder, enabled } = this.#ctx;
    const sequence = folder.uids.sequenceOf(flagged.uid);
    if (sequence === 0) return;
    if (this.#has('FLAGS') || marked.has(flagged.uid)) out.text(folder.keywordsText(flagged.flags));
    out.text(`* ${sequence} FETCH (`);
    let gap = '';
    for (const item of this.#items) {
      out.text(gap);
      gap = ' ';
      const plain = this.#plain(item, flagged);
      if (plain !== null) out.text(plain);
      else if (mail !== null) {
        await this.#sayOf(item, mail);
        await this.#pause(')\r\n');
      }
    }
    if (marked.has(flagged.uid)) {
      if (!this.#has('FLAGS')) out.text(`${gap}FLAGS ${imapFlags(flagged.flags)}`);
      if (enabled.condstore && !this.#has('MODSEQ')) out.text(` MODSEQ (${flagged.modSeq})`);
    }
    out.line(')');
    await this.#pause('');
  }

  /** Counts what was said, and lets the client and others catch up. @param rest of the line, if it ends here @throws SessionEnd */
  async #pause(rest: string): Promise<void> {
    const { out } = this.#ctx;
    try {
      await this.#ctx.spend();
    } catch (err) {
      out.text(rest);
      throw err;
    }
    await out.ready();
    await this.#turns.next();
  }

  #has(kind: FetchItem['kind']): boolean {
    return this.#items.some((item) => item.kind === kind);
  }

  #plain(item: FetchItem, mail: FlaggedMail): string | null {
    if (item.kind === 'UID') return `UID ${mail.uid}`;
    if (item.kind === 'FLAGS') return `FLAGS ${imapFlags(mail.flags)}`;
    return item.kind === 'MODSEQ' ? `MODSEQ (${mail.modSeq})` : null;
  }

  async #sayOf(item: FetchItem, mail: FetchedMail): Promise<void> {
    const { out } = this.#ctx;
    switch (item.kind) {
      case 'section':
        return this.#sayBytes(item.label, sliceOf(sectionBytes(item.section, mail, this.#headers), item.partial), '');
      case 'binary': {
        const decoded = this.#decoded(mail, item.path);
        const bytes = sliceOf(decoded, item.partial);
        return this.#sayBytes(item.label, bytes, bytes?.includes(0) ? '~' : '');
      }
      case 'binarySize':
        return out.text(`${item.label} ${this.#decoded(mail, item.path)?.length ?? 0}`);
      default:
        return out.text(valueText(item.kind, mail, this.#ctx.enabled.rev2));
    }
  }

  #decoded(mail: FetchedMail, path: readonly number[]): Uint8Array | null {
    if (mail.bytes === null || mail.outline === null) return null;
    if (path.length === 0) return mail.bytes;
    const part = partOf(mail.outline.body, path);
    if (part === null) return null;
    if (this.#lastDecoded?.part !== part) this.#lastDecoded = { part, bytes: decodedPart(mail.bytes, part) };
    if (this.#lastDecoded.bytes === null) this.unknownEncoding = true;
    return this.#lastDecoded.bytes;
  }

  async #sayBytes(label: string, bytes: Uint8Array | null, prefix: '' | '~'): Promise<void> {
    const { out } = this.#ctx;
    if (bytes === null) return out.text(`${label} NIL`);
    out.text(`${label} ${prefix}{${bytes.length}}\r\n`);
    if (bytes.length > GATHERED_BYTES) return out.bytes(bytes);
    out.text(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
  }
}

const NONE: ReadonlySet<number> = new Set();
/** Literals up to this length leave together with what stands around them. */
const GATHERED_BYTES = 8192;
const UNCOUNTED_BYTES = 65_536;

function valueText(kind: FetchItem['kind'], mail: FetchedMail, utf8: boolean): string {
  switch (kind) {
    case 'INTERNALDATE':
      return `INTERNALDATE ${internalDate(mail.internalDate)}`;
    case 'RFC822.SIZE':
      return `RFC822.SIZE ${mail.size}`;
    case 'EMAILID':
      return `EMAILID (${mail.emailId})`;
    case 'THREADID':
      return `THREADID ${mail.threadId === null ? 'NIL' : `(${mail.threadId})`}`;
    case 'PREVIEW':
      return `PREVIEW ${imapString(mail.preview, utf8)}`;
    case 'ENVELOPE':
      return `ENVELOPE ${mail.outline === null ? 'NIL' : envelopeText(mail.outline.envelope, utf8)}`;
    default:
      return `${kind} ${mail.outline === null ? 'NIL' : structureText(mail.outline.body, kind !== 'BODY', utf8)}`;
  }
}

function sectionBytes(
  section: Extract<FetchItem, { kind: 'section' }>['section'],
  { bytes, outline, header }: FetchedMail,
  headers: HeaderReader,
): Uint8Array | null {
  if (section.path.length === 0 && section.what === 'all') return bytes;
  if (bytes !== null && outline !== null) return sectionOf(bytes, outline.body, section, headers);
  return header === null ? null : sectionOf(header, headerPart(header.length), section, headers);
}

/** A mail of which the header alone is there. */
const headerPart = (length: number): ImapPart => ({
  type: 'text',
  subtype: 'plain',
  params: [],
  id: null,
  description: null,
  encoding: '7bit',
  md5: null,
  disposition: null,
  language: [],
  location: null,
  headerAt: 0,
  bodyAt: length,
  endAt: length,
  lines: 0,
  parts: [],
  message: null,
});

function sliceOf(bytes: Uint8Array | null, partial: ByteRange): Uint8Array | null {
  if (bytes === null || partial === null) return bytes;
  return bytes.subarray(partial[0], partial[0] + partial[1]);
}
