import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { jsonRows, jsonTexts } from '../../../../db/json-rows.ts';
import { tables } from '../../../../db/statement.ts';
import { FOLDERS_OPENED, type MailFolder, type Numbered, UIDS, VANISHED } from './uid-table.ts';

interface Tables {
  mailbox_folders: RowOf<typeof FOLDERS_OPENED>;
  mailbox_uids: RowOf<typeof UIDS>;
  mailbox_vanished: RowOf<typeof VANISHED>;
}
const sql = tables<Tables>();
type Place = { address: string; folder: MailFolder };

export const findFolder = FOLDERS_OPENED.find();
export const lockFolder = FOLDERS_OPENED.lock();
export const insertFolder = FOLDERS_OPENED.insertNew();
const setNumbered = FOLDERS_OPENED.patch(['numbered']);
const setVanishedFrom = FOLDERS_OPENED.patch(['vanishedFrom']);
const setFlags = UIDS.patch(['flags']);
const insertUids = UIDS.insertAll();
/** What has a UID in a folder, in the order of UIDs. */
export const pageOfUids = UIDS.after(['address', 'folder']);

/** Forgets what mail programs know of every folder: a restored copy must not give a UID a second time. */
const all = (name: 'mailbox_folders' | 'mailbox_uids' | 'mailbox_vanished') =>
  sql((q, _p: Record<never, never>) => q.deleteFrom(name).where('address', '>', ''));
const removals = [all('mailbox_folders'), all('mailbox_uids'), all('mailbox_vanished')];
export async function removeAllNumbers(tx: Tx): Promise<void> {
  for (const removal of removals) await tx.run(removal, {});
}

const holdFolders = sql((q, _p: Record<never, never>, engine) =>
  q.selectNoFrom((eb) => (engine === 'postgres' ? eb.fn<number>('hold_mailbox_folders', []) : eb.lit(1)).as('held')),
);
/** Waits for transactions that change what is in folders, and lets none begin. SQLite has one writer anyway. */
export const stopChanges = async (tx: Tx): Promise<void> => void (await tx.first(holdFolders, {}));

/** What was in a folder when it was opened has UIDs from 1, in the given order. */
export async function numberItems(tx: Tx, place: Place, itemIds: readonly string[]): Promise<void> {
  const rows = itemIds.map((itemId, n) => ({ ...place, uid: n + 1, itemId, modSeq: 1, flags: [] }));
  for (let n = 0; n < rows.length; n += NUMBERED_TOGETHER) await insertUids(tx, rows.slice(n, n + NUMBERED_TOGETHER));
  await setNumbered(tx, { ...place, numbered: true });
}
/** Rows of one statement. */
const NUMBERED_TOGETHER = 1000;

type After = Place & { after: number; limit: number };
const uidsOf = sql((q, p: After) =>
  q
    .selectFrom('mailbox_uids')
    .select('uid')
    .where('address', '=', p.address)
    .where('folder', '=', p.folder)
    .where('uid', '>', p.after)
    .orderBy('uid')
    .limit(p.limit),
);
const among = sql((q, p: Place & { uids: string }, engine) =>
  q
    .selectFrom(jsonRows(engine, p.uids, { uid: 'integer' }).as('given'))
    // SQLite keeps the order of a cross join.
    .crossJoin('mailbox_uids as u')
    .select(UIDS.names.map((name) => `u.${name}` as const))
    .where('u.address', '=', p.address)
    .where('u.folder', '=', p.folder)
    .whereRef('u.uid', '=', 'given.uid'),
);
/** A keyword cannot have a backslash, so this is found in no other flag. It stands in JSON. */
const flagged = sql((q, p: Place & { flag: string }, engine) =>
  q
    .selectFrom('mailbox_uids')
    .select((eb) => eb.fn.countAll<number>().as('items'))
    .select(
      (engine === 'postgres'
        ? raw<number>`coalesce(sum(case when strpos(flags, ${p.flag}) > 0 then 1 else 0 end), 0)`
        : raw<number>`coalesce(sum(instr(flags, ${p.flag}) > 0), 0)`
      ).as('with_flag'),
    )
    .where('address', '=', p.address)
    .where('folder', '=', p.folder),
);

/** The UIDs of a folder after one of them, in their order. */
export const uidsAfter = async (reader: Reader, place: Place, after: number, limit: number): Promise<number[]> =>
  (await reader.all(uidsOf, { ...place, after, limit })).map(({ uid }) => uid);

/** Those of some UIDs that a folder has, in their order. */
export const numberedAmong = async (reader: Reader, place: Place, uids: readonly number[]): Promise<Numbered[]> =>
  (await reader.all(among, { ...place, uids: JSON.stringify(uids.map((uid) => [uid])) }))
    .map(UIDS.fromRow)
    .sort((a, b) => a.uid - b.uid);

/** How many UIDs a folder has, and how many of them have a system flag. */
export async function countNumbered(reader: Reader, place: Place, flag: string) {
  const row = await reader.first(flagged, { ...place, flag: JSON.stringify(flag) });
  return { items: Number(row?.items ?? 0), flagged: Number(row?.with_flag ?? 0) };
}

type Since = { address: string; folder: string; after: number; limit: number };
const changed = sql((q, p: Since) =>
  q
    .selectFrom('mailbox_uids')
    .select(UIDS.names)
    .where('address', '=', p.address)
    .where('folder', '=', p.folder as MailFolder)
    .where('modseq', '>', p.after)
    .orderBy('modseq')
    .orderBy('uid')
    .limit(p.limit),
);
const vanished = sql((q, p: Since) =>
  q
    .selectFrom('mailbox_vanished')
    .select(['uid', 'modseq'])
    .where('address', '=', p.address)
    .where('folder', '=', p.folder as MailFolder)
    .where('modseq', '>', p.after)
    .orderBy('modseq')
    .limit(p.limit),
);

/** What arrived or changed after a mod-sequence. */
export const changedSince = async (reader: Reader, place: Place, after: number, limit: number): Promise<Numbered[]> =>
  (await reader.all(changed, { ...place, after, limit })).map(UIDS.fromRow);

/** The UIDs that went after a mod-sequence, in its order. */
export const vanishedSince = async (reader: Reader, place: Place, after: number, limit: number) =>
  (await reader.all(vanished, { ...place, after, limit })).map(({ uid, modseq }) => ({ uid, modSeq: modseq }));

/** Replaces the flags of which the item itself has none. The caller notes the change in the folder log. */
export const saveUidFlags = (tx: Tx, uid: Pick<Numbered, 'address' | 'folder' | 'uid' | 'flags'>): Promise<boolean> =>
  setFlags(tx, uid);

type Until = Place & { modSeq: number };
const undated = sql((q, p: { limit: number }) =>
  q.selectFrom('mailbox_vanished').select(VANISHED.names).where('removed_at', '=', 0).limit(p.limit),
);
const old = sql((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('mailbox_vanished')
    .select(VANISHED.names)
    .where('removed_at', '>', 0)
    .where('removed_at', '<', p.before)
    .limit(p.limit),
);
const dateUntil = sql((q, p: Until & { now: number }) =>
  q
    .updateTable('mailbox_vanished')
    .set({ removed_at: p.now })
    .where('address', '=', p.address)
    .where('folder', '=', p.folder)
    .where('modseq', '<=', p.modSeq)
    .where('removed_at', '=', 0),
);
const removeUntil = sql((q, p: Until) =>
  q
    .deleteFrom('mailbox_vanished')
    .where('address', '=', p.address)
    .where('folder', '=', p.folder)
    .where('modseq', '<=', p.modSeq),
);

/** Removals that one sweep reads of each kind. Other writers wait for it. */
const SWEPT_TOGETHER = 5000;

/** The last of some removals in each of their folders. */
const lastOfEach = (rows: readonly RowOf<typeof VANISHED>[]): Map<string, Until> =>
  new Map(
    rows
      .map(VANISHED.fromRow)
      .sort((a, b) => a.modSeq - b.modSeq)
      .map(({ address, folder, modSeq }) => [`${address} ${folder}`, { address, folder, modSeq }]),
  );

/**
 * Forgets removals from before a time, and says so in their folders. Dates those that have no time yet. Like all who change
 * removals it locks their folder first, in the same order.
 */
export async function forgetVanished(tx: Tx, before: number, now: number): Promise<void> {
  const limit = SWEPT_TOGETHER;
  const fresh = lastOfEach(await tx.all(undated, { limit }));
  const gone = lastOfEach(await tx.all(old, { before, limit }));
  for (const place of [...new Set([...fresh.keys(), ...gone.keys()])].sort()) {
    const [dated, removed] = [fresh.get(place), gone.get(place)];
    const { address, folder } = (dated ?? removed) as Until;
    const ends = await lockFolder(tx, address, folder);
    if (dated) await tx.run(dateUntil, { ...dated, now });
    if (!removed) continue;
    await setVanishedFrom(tx, { address, folder, vanishedFrom: Math.max(ends?.vanishedFrom ?? 0, removed.modSeq) });
    await tx.run(removeUntil, removed);
  }
}

const ofItems = sql((q, p: Place & { ids: string }, engine) =>
  q
    .selectFrom(jsonRows(engine, p.ids, { id: 'text' }).as('given'))
    // SQLite keeps the order of a cross join. Else it reads the whole folder for one id.
    .crossJoin('mailbox_uids as u')
    .select(UIDS.names.map((name) => `u.${name}` as const))
    .whereRef('u.item_id', '=', 'given.id')
    .where('u.address', '=', p.address)
    .where('u.folder', '=', p.folder),
);

/** What has a UID in a folder, by the ids of its items. In a transaction, also what came in it. */
export const itemsNumbered = async (
  reader: Reader,
  place: Place,
  ids: readonly string[],
): Promise<Map<string, Numbered>> =>
  new Map(
    (await reader.all(ofItems, { ...place, ids: jsonTexts(ids) })).map(UIDS.fromRow).map((row) => [row.itemId, row]),
  );
