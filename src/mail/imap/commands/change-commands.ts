import { folderNamed, type ImapContext, requireFolder } from '../imap-context.ts';
import { BadCommand, type Cursor } from '../imap-cursor.ts';
import { type CopiedUids, ImapRefusal, type StoreChange } from '../imap-store.ts';
import { momentOf, setOf } from '../imap-text.ts';
import { SYSTEM_FLAGS } from '../selected-folder.ts';

/** How many mails change at once. */
const BATCH = 500;
const FLAGS_MAX = 100;

/** STORE and UID STORE (RFC 9051 6.4.6, RFC 7162 3.1.3). */
export async function storeCommand(ctx: ImapContext, cursor: Cursor, byUid: boolean): Promise<string> {
  const set = cursor.sequenceSet();
  cursor.space();
  const unchangedSince = unchangedSinceAt(cursor);
  const does = cursor.skip('+') ? 'add' : cursor.skip('-') ? 'remove' : 'replace';
  const name = cursor.word();
  if (name !== 'FLAGS' && name !== 'FLAGS.SILENT') throw new BadCommand('Unknown item of STORE');
  cursor.space();
  const flags = flagsAt(cursor);
  cursor.end();
  if (unchangedSince !== null) ctx.enabled.condstore = true;
  requireWritable(ctx);
  const modified = await storeAll(
    ctx,
    ctx.pick(set, byUid),
    { does, flags, unchangedSince },
    {
      silent: name !== 'FLAGS',
      byUid,
    },
  );
  if (modified.length === 0) return 'STORE completed';
  const numbers = byUid ? modified : modified.map((uid) => ctx.folder.uids.sequenceOf(uid)).filter((n) => n > 0);
  return `[MODIFIED ${setOf(numbers.sort((a, b) => a - b))}] Some had changed since`;
}

function unchangedSinceAt(cursor: Cursor): number | null {
  if (!cursor.skip('(')) return null;
  if (cursor.word() !== 'UNCHANGEDSINCE') throw new BadCommand('Unknown modifier of STORE');
  cursor.space();
  const modSeq = cursor.number();
  cursor.expect(')');
  cursor.space();
  return modSeq;
}

/** @returns the UIDs of those that had changed since */
async function storeAll(
  ctx: ImapContext,
  uids: Uint32Array,
  change: StoreChange,
  { silent, byUid }: { silent: boolean; byUid: boolean },
): Promise<number[]> {
  const { folder, enabled, out } = ctx;
  const modified: number[] = [];
  for (let at = 0; at < uids.length && !out.closed; at += BATCH) {
    const done = await ctx.open.store(folder.folder, Array.from(uids.subarray(at, at + BATCH)), change);
    for (const uid of done.modified) modified.push(uid);
    for (const mail of done.changed) {
      folder.told(mail);
      const sequence = folder.uids.sequenceOf(mail.uid);
      if (sequence === 0) continue;
      const withUid = byUid || enabled.qresync;
      if (!silent) out.line(folder.flagsLine(mail, withUid, enabled.condstore) ?? '');
      // RFC 7162 3.1.3: the mod-sequence is told all the same.
      else if (enabled.condstore) {
        out.line(`* ${sequence} FETCH (${withUid ? `UID ${mail.uid} ` : ''}MODSEQ (${mail.modSeq}))`);
      }
      await out.ready();
    }
  }
  return modified;
}

/** Flags in parentheses or without. @throws BadCommand a system flag that does not exist, or that clients do not set */
function flagsAt(cursor: Cursor): string[] {
  const flags: string[] = [];
  if (cursor.sees('(')) flags.push(...cursor.list(() => cursor.flag()));
  else {
    do flags.push(cursor.flag());
    while (cursor.skip(' '));
  }
  if (flags.length > FLAGS_MAX) throw new BadCommand('Too many flags');
  return flags.map((flag) => {
    if (!flag.startsWith('\\')) return flag;
    const known = SYSTEM_FLAGS.find((each) => each.toLowerCase() === flag.toLowerCase());
    if (known === undefined) throw new BadCommand('No such flag');
    return known;
  });
}

/** @throws ImapRefusal after EXAMINE; what a login may not change, the mailbox refuses */
function requireWritable(ctx: ImapContext): void {
  const { readOnly, folder } = ctx.folder;
  if (readOnly && ctx.open.mayChange(folder)) throw new ImapRefusal('READ-ONLY', 'This folder was opened to read');
}

const copiedText = ({ uidValidity, from, to }: CopiedUids): string =>
  from.length === 0 ? '' : `[COPYUID ${uidValidity} ${setOf(from)} ${setOf(to)}] `;

/** COPY and UID COPY (RFC 9051 6.4.7). */
export async function copyCommand(ctx: ImapContext, cursor: Cursor, byUid: boolean): Promise<string> {
  const { uids, to } = targetAt(ctx, cursor, byUid);
  if (uids.length === 0) return 'Nothing to copy';
  return `${copiedText(await ctx.open.copy(ctx.folder.folder, uids, to))}COPY completed`;
}

/** MOVE and UID MOVE (RFC 9051 6.4.8). */
export async function moveCommand(ctx: ImapContext, cursor: Cursor, byUid: boolean): Promise<string> {
  const { uids, to } = targetAt(ctx, cursor, byUid);
  requireWritable(ctx);
  if (uids.length === 0) return 'Nothing to move';
  const copied = copiedText(await ctx.open.move(ctx.folder.folder, uids, to));
  if (copied !== '') ctx.out.line(`* OK ${copied}Moved`);
  await ctx.sync(true, true);
  return `${highestText(ctx)}MOVE completed`;
}

function targetAt(ctx: ImapContext, cursor: Cursor, byUid: boolean) {
  const set = cursor.sequenceSet();
  cursor.space();
  const to = requireFolder(cursor, 'TRYCREATE');
  cursor.end();
  return { uids: Array.from(ctx.pick(set, byUid)), to };
}

/** RFC 7162 3.2.8: with the answer the client knows how far it is. */
const highestText = (ctx: ImapContext): string => (ctx.enabled.qresync ? `[HIGHESTMODSEQ ${ctx.folder.modSeq}] ` : '');

/** EXPUNGE and UID EXPUNGE (RFC 9051 6.4.3, 6.4.9). Only mails that the client knows go. */
export async function expungeCommand(ctx: ImapContext, cursor: Cursor, byUid: boolean): Promise<string> {
  const asked = byUid ? ctx.pick(cursor.sequenceSet(), true) : null;
  cursor.end();
  requireWritable(ctx);
  await expunge(ctx, asked);
  await ctx.sync(true, true);
  return `${highestText(ctx)}EXPUNGE completed`;
}

/** Removes what has `\Deleted`. @param among of these alone; null: of all that the client knows */
export async function expunge(ctx: ImapContext, among: Uint32Array | null): Promise<void> {
  const { folder, uids } = ctx.folder;
  const { uids: deleted } = await ctx.open.search(folder, { key: 'flag', flag: '\\Deleted' });
  const asked = among === null ? null : new Set(among);
  const gone = deleted.filter((uid) => uids.sequenceOf(uid) > 0 && (asked === null || asked.has(uid)));
  // One call, also without any: it says whether this login may.
  await ctx.open.expunge(folder, gone);
}

/** APPEND of one mail (RFC 9051 6.3.12). */
export async function appendCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  const folder = folderNamed(cursor.astring());
  cursor.space();
  const flags = cursor.sees('(') ? flagsAt(cursor) : null;
  if (flags !== null) cursor.space();
  const date = cursor.sees('"') ? Buffer.from(cursor.bytes()).toString('latin1') : null;
  const internalDate = date === null ? null : momentOf(date);
  if (date !== null && internalDate === null) throw new BadCommand('No such time');
  if (date !== null) cursor.space();
  if (cursor.sees('~')) throw new ImapRefusal('UNKNOWN-CTE', 'Send a literal without ~');
  const bytes = cursor.literal();
  cursor.end();
  if (folder === null) throw new ImapRefusal('TRYCREATE', 'No such folder');
  if (bytes.length === 0) throw new ImapRefusal('CANNOT', 'A mail without a byte');
  const { uidValidity, uids } = await ctx.memory.during(() =>
    ctx.open.append(folder, [{ flags: flags ?? [], internalDate, bytes }]),
  );
  if (ctx.selected?.folder === folder) await ctx.sync(true, true);
  return uids.length === 0 ? 'APPEND completed' : `[APPENDUID ${uidValidity} ${setOf(uids)}] APPEND completed`;
}
