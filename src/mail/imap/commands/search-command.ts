import type { ImapContext } from '../imap-context.ts';
import { BadCommand, type Cursor, type SequenceSet } from '../imap-cursor.ts';
import { imapString, setOf } from '../imap-text.ts';
import { rangesOf, rangesOfSet } from '../number-ranges.ts';
import { SearchKeys } from './search-keys.ts';

const RESULTS = ['MIN', 'MAX', 'ALL', 'COUNT', 'SAVE'];

interface Found {
  uids: Uint32Array;
  highestModSeq: number | null;
}

/** SEARCH and UID SEARCH (RFC 9051 6.4.4, RFC 5182, RFC 7162 3.1.5). */
export async function searchCommand(ctx: ImapContext, cursor: Cursor, byUid: boolean, tag: string): Promise<string> {
  const asked = askedResults(cursor);
  // Its sets may have sequence numbers, also those of UID SEARCH.
  await ctx.sync(false, false);
  let found: Found;
  try {
    found = await find(ctx, cursor);
  } catch (err) {
    // RFC 5182 2.1.
    if (asked?.includes('SAVE')) ctx.saved = new Uint32Array(0);
    throw err;
  }
  const { uids, highestModSeq } = found;
  if (asked?.includes('SAVE')) ctx.saved = savedOf(uids, asked);
  const highest = highestModSeq === null ? null : await modSeqOf(ctx, uids, asked ?? [], highestModSeq);
  const numbers = byUid ? uids : uids.map((uid) => ctx.folder.uids.sequenceOf(uid));
  if (asked !== null || ctx.enabled.rev2) {
    const results = asked ?? ['ALL'];
    if (results.length > 1 || results[0] !== 'SAVE') ctx.out.line(extendedText(tag, byUid, numbers, results, highest));
  } else {
    const modSeq = highestModSeq === null || numbers.length === 0 ? '' : ` (MODSEQ ${highestModSeq})`;
    ctx.out.line(`* SEARCH${Array.from(numbers, (number) => ` ${number}`).join('')}${modSeq}`);
  }
  return 'SEARCH completed';
}

/** What RETURN asks for; null without it. */
function askedResults(cursor: Cursor): readonly string[] | null {
  if (!cursor.skipWord('RETURN')) return null;
  const asked = cursor.list(() => cursor.word());
  cursor.space();
  if (!asked.every((word) => RESULTS.includes(word))) throw new BadCommand('Unknown result');
  return asked.length === 0 ? ['ALL'] : asked;
}

async function find(ctx: ImapContext, cursor: Cursor): Promise<Found> {
  const { folder, uids } = ctx.folder;
  const keys = new SearchKeys(cursor, (set, byUid) => uidRanges(ctx, set, byUid), ctx.now());
  const key = keys.read();
  cursor.end();
  if (keys.hasModSeq) ctx.enabled.condstore = true;
  const found = await ctx.open.search(folder, key);
  return {
    // What came meanwhile the client does not know yet.
    uids: Uint32Array.from(found.uids).filter((uid) => uids.sequenceOf(uid) > 0),
    highestModSeq: keys.hasModSeq ? found.highestModSeq : null,
  };
}

function uidRanges(ctx: ImapContext, set: SequenceSet, byUid: boolean): [number, number][] {
  const ranges = set !== '$' && byUid ? rangesOfSet(set, ctx.folder.uids.last) : rangesOf(ctx.pick(set, byUid));
  return ranges.map(([from, to]) => [from, to - 1]);
}

/** RFC 7162 3.1.10: the mod-sequence of what is told, where that is the ends alone. */
async function modSeqOf(ctx: ImapContext, uids: Uint32Array, asked: readonly string[], all: number): Promise<number> {
  const ends = asked.includes('MIN') || asked.includes('MAX');
  if (!ends || asked.includes('ALL') || asked.includes('COUNT')) return all;
  const told = await ctx.open.flags(ctx.folder.folder, Array.from(endsOf(uids, asked)));
  return Math.max(0, ...told.map(({ modSeq }) => modSeq));
}

/** RFC 5182 2.4: what `$` is after this. */
function savedOf(uids: Uint32Array, asked: readonly string[]): Uint32Array<ArrayBuffer> {
  const ends = asked.includes('MIN') || asked.includes('MAX');
  if (!ends || asked.includes('ALL') || asked.includes('COUNT')) return Uint32Array.from(uids);
  return endsOf(uids, asked);
}

function endsOf(uids: Uint32Array, asked: readonly string[]): Uint32Array<ArrayBuffer> {
  const ends = [...(asked.includes('MIN') ? uids.slice(0, 1) : []), ...(asked.includes('MAX') ? uids.slice(-1) : [])];
  return Uint32Array.from(new Set(ends));
}

function extendedText(
  tag: string,
  byUid: boolean,
  numbers: Uint32Array,
  asked: readonly string[],
  highestModSeq: number | null,
): string {
  let text = `* ESEARCH (TAG ${imapString(tag)})${byUid ? ' UID' : ''}`;
  if (numbers.length > 0) {
    if (asked.includes('MIN')) text += ` MIN ${numbers[0]}`;
    if (asked.includes('MAX')) text += ` MAX ${numbers.at(-1)}`;
    if (asked.includes('ALL')) text += ` ALL ${setOf(numbers)}`;
  }
  if (asked.includes('COUNT')) text += ` COUNT ${numbers.length}`;
  if (highestModSeq !== null && numbers.length > 0) text += ` MODSEQ ${highestModSeq}`;
  return text;
}
