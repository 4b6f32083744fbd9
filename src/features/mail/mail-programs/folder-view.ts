import type { Principal } from '../../../api/principal.ts';
import type { FlaggedMail, FolderChanges, FolderState } from '../../../mail/imap/imap-store.ts';
import { measureFolder } from '../mailboxes/messages/message.ts';
import {
  changedSince,
  countNumbered,
  type FolderEnds,
  findFolder,
  type Numbered,
  pageOfUids,
  uidsAfter,
  vanishedSince,
} from '../mailboxes/uids/folder-uids.ts';
import { endsOf } from './folder-items.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { flaggedAmong, type Place } from './program-item.ts';

/** Rows that one statement reads. */
const UIDS_PAGE = 5000;
const ROWS_PAGE = 1000;

const stateOf = ({ uidValidity, uidNext, modSeq }: FolderEnds): FolderState => ({
  uidValidity,
  uidNext,
  highestModSeq: modSeq,
});

/** Every UID of a folder up to its end. What went since the end was read is missing, and told as gone afterwards. */
export async function openPlace({ database, now }: Pick<MailProgramDeps, 'database' | 'now'>, place: Place) {
  const ends = await endsOf({ database, now }, place);
  let uids = new Uint32Array(0);
  let count = 0;
  for (let last = 0; ; ) {
    const page = await uidsAfter(database, place, last, UIDS_PAGE);
    const known = page.filter((uid) => uid < ends.uidNext);
    if (count + known.length > uids.length) {
      const larger = new Uint32Array(Math.max(count + known.length, 2 * uids.length));
      larger.set(uids);
      uids = larger;
    }
    uids.set(known, count);
    count += known.length;
    if (page.length < UIDS_PAGE || known.length < page.length)
      return { state: stateOf(ends), uids: uids.slice(0, count) };
    last = page.at(-1) as number;
  }
}

/** How many mails a folder has, and how many of them are new or deleted. `stored`: the bytes of messages; null for what is no message. */
export async function countPlace({ database, now }: Pick<MailProgramDeps, 'database' | 'now'>, place: Place) {
  const { address, folder } = place;
  const state = stateOf(await endsOf({ database, now }, place));
  const { items, flagged: deleted } = await countNumbered(database, place, '\\Deleted');
  if (folder === 'sent') return { ...state, messages: items, unseen: 0, deleted, stored: null };
  if (folder === 'drafts') {
    const seen = await countNumbered(database, place, '\\Seen');
    return { ...state, messages: items, unseen: seen.items - seen.flagged, deleted, stored: null };
  }
  const inside = folder === 'junk' ? 'spam' : folder === 'trash' ? 'trash' : 'inbox';
  const archived = inside === 'inbox' ? folder === 'archive' : null;
  const { messages, unread, ...stored } = await measureFolder(database, address, inside, archived);
  return { ...state, messages, unseen: unread, deleted, stored };
}

/** What follows a place in pages, up to the end of the folder. */
async function* pagesTo<T>(
  read: (after: number) => Promise<T[]>,
  after: number,
  keyOf: (row: T) => number,
): AsyncGenerator<T[]> {
  for (let last = after; ; ) {
    const page = await read(last);
    if (page.length > 0) yield page;
    if (page.length < ROWS_PAGE) return;
    last = keyOf(page.at(-1) as T);
  }
}

/** The UIDs of a folder, with what they stand for, in pages. */
export const pagesOfUids = ({ database }: Pick<MailProgramDeps, 'database'>, place: Place) =>
  pagesTo<Numbered>(
    (uid) => pageOfUids(database, place, { uid }, ROWS_PAGE),
    0,
    ({ uid }) => uid,
  );

/**
 * What happened in a folder after a mod-sequence. Its end is read first, and bounds the rest: what comes or goes meanwhile has a
 * later mod-sequence and is told next time, and nothing is missed.
 */
export async function placeChanges(
  deps: Pick<MailProgramDeps, 'database' | 'now'>,
  caller: Principal,
  place: Place,
  since: number,
): Promise<FolderChanges> {
  const { database, now } = deps;
  const { modSeq: end, uidNext } = await endsOf({ database, now }, place);
  if (since >= end) return { highestModSeq: end, uidNext, changed: [], vanished: [] };
  const changed: FlaggedMail[] = [];
  // All that was there when the folder was opened first has mod-sequence 1, and pages by it would be cut.
  const pages =
    since < 1
      ? pagesOfUids(deps, place)
      : pagesTo<Numbered>(
          (after) => changedSince(database, place, after, ROWS_PAGE),
          since,
          ({ modSeq }) => modSeq,
        );
  for await (const page of pages) {
    // Also what changed once more meanwhile: a program counts mails, so it must hear of each UID before a later one.
    const known = page.filter(({ uid }) => uid < uidNext);
    changed.push(...(await flaggedAmong(database, caller, place, known)));
  }
  changed.sort((a, b) => a.uid - b.uid);
  const vanished: number[] = [];
  for await (const page of pagesTo(
    (after) => vanishedSince(database, place, after, ROWS_PAGE),
    since,
    ({ modSeq }) => modSeq,
  ))
    vanished.push(...page.filter(({ modSeq }) => modSeq <= end).map(({ uid }) => uid));
  // Read last: what was forgotten while this read is not in the list.
  const isKnown = ((await findFolder(database, place.address, place.folder))?.vanishedFrom ?? end) <= since;
  return { highestModSeq: end, uidNext, changed, vanished: isKnown ? vanished.sort((a, b) => a - b) : null };
}
