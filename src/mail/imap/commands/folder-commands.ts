import { APPEND_BYTES, folderNamed, type ImapContext, requireFolder } from '../imap-context.ts';
import { BadCommand, type Cursor, type SequenceSet } from '../imap-cursor.ts';
import { type FolderStatus, IMAP_FOLDERS, type ImapFolder, ImapRefusal } from '../imap-store.ts';
import { imapFlags } from '../imap-text.ts';
import { commonRanges, rangesOfSet, setOfRanges } from '../number-ranges.ts';
import { SelectedFolder, SYSTEM_FLAGS, vanishedRanges } from '../selected-folder.ts';
import { expunge } from './change-commands.ts';

const SELECTIONS = ['SUBSCRIBED', 'REMOTE', 'RECURSIVEMATCH', 'SPECIAL-USE'];

const STATUS_ITEMS: Record<string, (status: FolderStatus, folder: ImapFolder) => string> = {
  MESSAGES: ({ messages }) => String(messages),
  // No mail is \Recent here.
  RECENT: () => '0',
  UNSEEN: ({ unseen }) => String(unseen),
  UIDNEXT: ({ uidNext }) => String(uidNext),
  UIDVALIDITY: ({ uidValidity }) => String(uidValidity),
  HIGHESTMODSEQ: ({ highestModSeq }) => String(highestModSeq),
  SIZE: ({ size }) => String(size),
  DELETED: ({ deleted }) => String(deleted),
  MAILBOXID: (_status, folder) => `(${mailboxId(folder)})`,
  APPENDLIMIT: () => String(APPEND_BYTES),
};

/** RFC 8474: the folder's word in the API. */
const mailboxId = (folder: ImapFolder): string => folder.toLowerCase();

/** LIST, also with what RFC 5258, 5819 and 6154 add. */
export async function listCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  const selections = cursor.sees('(') ? cursor.list(() => cursor.word()) : null;
  if (selections !== null) cursor.space();
  if (!(selections ?? []).every((word) => SELECTIONS.includes(word))) throw new BadCommand('Unknown selection');
  if (selections?.includes('RECURSIVEMATCH') && !selections.includes('SUBSCRIBED')) {
    throw new BadCommand('RECURSIVEMATCH needs SUBSCRIBED');
  }
  const reference = cursor.astring().slice(0, PATTERN_MAX + 1);
  cursor.space();
  const several = cursor.sees('(');
  const patterns = several ? cursor.list(() => cursor.listPattern()) : [cursor.listPattern()];
  const returned = returnedAt(cursor);
  cursor.end();
  if (patterns.length === 1 && patterns[0] === '' && selections === null) {
    ctx.out.line('* LIST (\\Noselect) "/" ""');
    return 'LIST completed';
  }
  const subscribed = selections?.includes('SUBSCRIBED') === true || returned.subscribed;
  for (const folder of IMAP_FOLDERS) {
    if (!patterns.some((pattern) => matches(reference + pattern, folder))) continue;
    if (selections?.includes('SPECIAL-USE') && folder === 'INBOX') continue;
    ctx.out.line(listText(folder, subscribed));
    if (returned.status !== null) ctx.out.line(await statusText(ctx, folder, returned.status));
  }
  return 'LIST completed';
}

function returnedAt(cursor: Cursor): { subscribed: boolean; status: readonly string[] | null } {
  const returned: { subscribed: boolean; status: readonly string[] | null } = { subscribed: false, status: null };
  if (!cursor.skip(' ') || !cursor.skipWord('RETURN')) return returned;
  cursor.list(() => {
    const word = cursor.word();
    if (word === 'SUBSCRIBED') returned.subscribed = true;
    else if (word === 'STATUS') {
      cursor.space();
      returned.status = statusItemsAt(cursor);
    } else if (word !== 'CHILDREN' && word !== 'SPECIAL-USE') throw new BadCommand('Unknown return option');
  });
  return returned;
}

function listText(folder: ImapFolder, subscribed: boolean): string {
  const use = folder === 'INBOX' ? '' : ` \\${folder}`;
  return `* LIST (\\HasNoChildren${use}${subscribed ? ' \\Subscribed' : ''}) "/" ${folder}`;
}

/** Characters. No name is as long, and each pattern is compared with every name. */
const PATTERN_MAX = 200;

/** Whether a name is of a pattern. There are no folders in folders, so `%` is as `*`. */
function matches(pattern: string, folder: ImapFolder): boolean {
  if (pattern.length > PATTERN_MAX) return false;
  const [text, name] = folder === 'INBOX' ? [pattern.toUpperCase(), folder] : [pattern, folder];
  let [at, star, from] = [0, -1, 0];
  for (let i = 0; i < name.length; ) {
    const character = text[at];
    if (character === '*' || character === '%') {
      star = at;
      at += 1;
      from = i;
    } else if (character === name[i]) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      from += 1;
      i = from;
    } else return false;
  }
  while (text[at] === '*' || text[at] === '%') at += 1;
  return at === text.length;
}

/** LSUB: every folder is subscribed. */
export async function lsubCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  const reference = cursor.astring();
  cursor.space();
  const pattern = reference + cursor.listPattern();
  cursor.end();
  for (const folder of IMAP_FOLDERS) if (matches(pattern, folder)) ctx.out.line(`* LSUB () "/" ${folder}`);
  return 'LSUB completed';
}

/** SUBSCRIBE and UNSUBSCRIBE: nothing changes. */
export async function subscribeCommand(_ctx: ImapContext, cursor: Cursor): Promise<string> {
  requireFolder(cursor);
  cursor.end();
  return 'Every folder is subscribed';
}

/** CREATE, RENAME, DELETE. @throws ImapRefusal `CANNOT` */
export async function refuseFolderChange(_ctx: ImapContext, cursor: Cursor): Promise<string> {
  cursor.astring();
  throw new ImapRefusal('CANNOT', 'The folders of an address are always these six; use keywords for labels');
}

export async function namespaceCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  cursor.end();
  ctx.out.line('* NAMESPACE (("" "/")) NIL NIL');
  return 'NAMESPACE completed';
}

function statusItemsAt(cursor: Cursor): string[] {
  const items = cursor.list(() => cursor.word());
  if (items.length === 0 || !items.every((item) => Object.hasOwn(STATUS_ITEMS, item))) {
    throw new BadCommand('Unknown status item');
  }
  return [...new Set(items)];
}

async function statusText(ctx: ImapContext, folder: ImapFolder, items: readonly string[]): Promise<string> {
  if (items.includes('HIGHESTMODSEQ')) ctx.enabled.condstore = true;
  const status = await ctx.open.status(folder);
  return `* STATUS ${folder} (${items.map((item) => `${item} ${STATUS_ITEMS[item]?.(status, folder)}`).join(' ')})`;
}

export async function statusCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  const folder = folderNamed(cursor.astring());
  cursor.space();
  const items = statusItemsAt(cursor);
  cursor.end();
  if (folder === null) throw new ImapRefusal('NONEXISTENT', 'No such folder');
  ctx.out.line(await statusText(ctx, folder, items));
  return 'STATUS completed';
}

interface Resync {
  uidValidity: number;
  modSeq: number;
  known: SequenceSet | null;
}

/** SELECT and EXAMINE (RFC 9051 6.3.2, RFC 7162 3.1.8, 3.2.5). */
export async function selectCommand(ctx: ImapContext, cursor: Cursor, examine: boolean): Promise<string> {
  const folder = folderNamed(cursor.astring());
  const resync = selectParameters(ctx, cursor);
  cursor.end();
  if (ctx.selected !== null && (ctx.enabled.qresync || ctx.enabled.rev2)) ctx.out.line('* OK [CLOSED] Closed');
  unselect(ctx);
  if (folder === null) throw new ImapRefusal('NONEXISTENT', 'No such folder');
  const mayChange = ctx.open.mayChange(folder) && !examine;
  const opened = await ctx.open.open(folder);
  const { state } = opened;
  const selected = new SelectedFolder(folder, opened, !mayChange);
  ctx.out.line(`* FLAGS ${imapFlags(SYSTEM_FLAGS)}`);
  ctx.out.line(`* OK [PERMANENTFLAGS ${imapFlags(mayChange ? [...SYSTEM_FLAGS, '\\*'] : [])}] Flags that stay`);
  ctx.out.line(`* ${selected.uids.size} EXISTS`);
  if (ctx.enabled.rev2) ctx.out.line(listText(folder, false));
  else ctx.out.line('* 0 RECENT');
  ctx.out.line(`* OK [UIDVALIDITY ${state.uidValidity}] UIDs are valid`);
  ctx.out.line(`* OK [UIDNEXT ${state.uidNext}] Next UID`);
  ctx.out.line(`* OK [HIGHESTMODSEQ ${state.highestModSeq}] Highest`);
  ctx.out.line(`* OK [MAILBOXID (${mailboxId(folder)})] Id`);
  ctx.selected = selected;
  if (resync !== null && resync.uidValidity === state.uidValidity) await tellChanges(ctx, selected, resync);
  return `[${mayChange ? 'READ-WRITE' : 'READ-ONLY'}] ${examine ? 'EXAMINE' : 'SELECT'} completed`;
}

function selectParameters(ctx: ImapContext, cursor: Cursor): Resync | null {
  if (!cursor.skip(' (')) return null;
  let resync: Resync | null = null;
  do {
    const word = cursor.word();
    if (word === 'CONDSTORE') ctx.enabled.condstore = true;
    else if (word === 'QRESYNC' && ctx.enabled.qresync) resync = resyncAt(cursor);
    else throw new BadCommand(word === 'QRESYNC' ? 'ENABLE QRESYNC first' : 'Unknown parameter');
  } while (cursor.skip(' '));
  cursor.expect(')');
  return resync;
}

function resyncAt(cursor: Cursor): Resync {
  cursor.expect(' (');
  const uidValidity = cursor.number();
  cursor.space();
  const modSeq = cursor.number();
  let known: SequenceSet | null = null;
  if (cursor.skip(' ') && !cursor.sees('(')) {
    known = cursor.sequenceSet();
    cursor.skip(' ');
  }
  // Pairs of sequence numbers and UIDs help servers that forget what went; this one need not guess.
  if (cursor.skip('(')) {
    cursor.sequenceSet();
    cursor.space();
    cursor.sequenceSet();
    cursor.expect(')');
  }
  cursor.expect(')');
  return { uidValidity, modSeq, known };
}

async function tellChanges(ctx: ImapContext, selected: SelectedFolder, { modSeq, known }: Resync): Promise<void> {
  const changes = await ctx.open.changesSince(selected.folder, modSeq);
  let gone = vanishedRanges(changes.vanished, selected.uids, changes.uidNext);
  if (known !== null && known !== '$') gone = commonRanges(gone, rangesOfSet(known, changes.uidNext - 1));
  // What went after the folder was opened is told as all that goes.
  gone = commonRanges(gone, complementOf(selected, changes.uidNext));
  if (gone.length > 0) ctx.out.line(`* VANISHED (EARLIER) ${setOfRanges(gone)}`);
  for (const mail of changes.changed) {
    const line = selected.flagsLine(mail, true, true);
    if (line !== null) ctx.out.line(line);
  }
}

const complementOf = (selected: SelectedFolder, uidNext: number) =>
  vanishedRanges(null, selected.uids, Math.max(uidNext, selected.uids.last + 1));

/** Leaves the selected folder. */
function unselect(ctx: ImapContext): void {
  ctx.selected = null;
  ctx.saved = new Uint32Array(0);
}

/** CLOSE: what has `\Deleted` goes without a word (RFC 9051 6.4.1). */
export async function closeCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  cursor.end();
  if (!ctx.folder.readOnly) await expunge(ctx, null);
  unselect(ctx);
  return 'CLOSE completed';
}

export async function unselectCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  cursor.end();
  unselect(ctx);
  return 'UNSELECT completed';
}
