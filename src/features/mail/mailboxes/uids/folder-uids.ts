import type { Database, Reader } from '../../../../api/transaction.ts';
import {
  changedSince,
  countNumbered,
  findFolder,
  forgetVanished,
  insertFolder,
  itemsNumbered,
  lockFolder,
  numberedAmong,
  numberItems,
  pageOfUids,
  removeAllNumbers,
  saveUidFlags,
  stopChanges,
  uidsAfter,
  vanishedSince,
} from './uid-store.ts';
import type { FolderEnds, MailFolder, Numbered } from './uid-table.ts';

export {
  changedSince,
  countNumbered,
  type FolderEnds,
  findFolder,
  forgetVanished,
  itemsNumbered,
  type MailFolder,
  type Numbered,
  numberedAmong,
  pageOfUids,
  removeAllNumbers,
  saveUidFlags,
  uidsAfter,
  vanishedSince,
};

interface FolderPlace {
  address: string;
  folder: MailFolder;
}

/**
 * Where a folder ends. At the first time, what is in it gets UIDs in the order of ids: its places are reserved while
 * nothing can change, and given afterwards, so that other addresses do not wait for that.
 * @param itemIds reads what is in a folder, in the order of ids
 */
export async function openFolder(
  database: Database,
  place: FolderPlace,
  itemIds: (reader: Reader, place: FolderPlace) => Promise<string[]>,
  now: number,
): Promise<FolderEnds> {
  const { address, folder } = place;
  const known = await findFolder(database, address, folder);
  if (known?.numbered) return known;
  if (known === null)
    await database.transaction(async (tx) => {
      await stopChanges(tx);
      const uidNext = (await itemIds(tx, place)).length + 1;
      const ends = { uidValidity: Math.floor(now / 1000), uidNext, modSeq: 1, vanishedFrom: 0, numbered: false };
      await insertFolder(tx, { ...place, ...ends });
    });
  return database.transaction(async (tx) => {
    const ends = await lockFolder(tx, address, folder);
    if (ends === null) throw new Error('a folder went while it was opened');
    if (!ends.numbered) {
      // What came since has a UID behind the reserved ones.
      const ids = await itemIds(tx, place);
      const numbered = await itemsNumbered(tx, place, ids);
      await numberItems(
        tx,
        place,
        ids.filter((id) => !numbered.has(id)),
      );
    }
    return { ...ends, numbered: true };
  });
}
