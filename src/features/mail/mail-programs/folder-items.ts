import type { Reader } from '../../../api/transaction.ts';
import { lastId } from '../../../base/ids.ts';
import { findAddress } from '../../account/addresses/address.ts';
import { listDrafts } from '../drafts/draft.ts';
import { idsInFolder } from '../mailboxes/messages/message.ts';
import { idsInSent } from '../mailboxes/messages/sent.ts';
import { type FolderEnds, openFolder } from '../mailboxes/uids/folder-uids.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import type { Place } from './program-item.ts';

/** Above the number of drafts of every tier. */
const DRAFTS_MAX = 100_000;

/** The ids of what is in a folder, in their order. */
async function itemIds(reader: Reader, { address, folder }: Place): Promise<string[]> {
  if (folder === 'sent') return idsInSent(reader, address);
  if (folder === 'drafts') {
    const owner = await findAddress(reader, address);
    const drafts = owner === null ? [] : await listDrafts(reader, owner.accountId, lastId('drf'), DRAFTS_MAX);
    return drafts
      .filter((draft) => draft.address === address)
      .map(({ id }) => id)
      .reverse();
  }
  const inside = folder === 'junk' ? 'spam' : folder === 'trash' ? 'trash' : 'inbox';
  return idsInFolder(reader, address, inside, inside === 'inbox' ? folder === 'archive' : null);
}

/** Where a folder ends. What is in it has UIDs from the first time on. */
export const endsOf = (
  { database, now }: Pick<MailProgramDeps, 'database' | 'now'>,
  place: Place,
): Promise<FolderEnds> => openFolder(database, place, itemIds, now());
