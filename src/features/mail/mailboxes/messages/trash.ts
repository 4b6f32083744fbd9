import type { EnqueueJob } from '../../../../api/job-types.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { DAY_MS } from '../../../../base/period.ts';
import type { Limited } from '../../../account/addresses/address.ts';
import { changeMessage, findMessage, removeMessage } from './message.ts';
import type { Message } from './message-table.ts';

/** How long a message stays in the trash. */
const TRASH_MS = 30 * DAY_MS;

/** A message in the trash, and when it came there. */
export interface TrashedMessage {
  accountId: string;
  address: string;
  id: string;
  trashedAt: number;
}

/** When a message of the trash is deleted for good. */
export const purgeableAt = ({ trashedAt }: Pick<TrashedMessage, 'trashedAt'>): number => trashedAt + TRASH_MS;

/** Moves a message to the trash, and has it deleted after 30 days. @throws ApiError `not_found` */
export async function moveToTrash(
  tx: Tx,
  enqueueJob: EnqueueJob,
  principal: Limited,
  { accountId, address, id }: Pick<Message, 'accountId' | 'address' | 'id'>,
  now: number,
): Promise<void> {
  const key = { accountId, address, id };
  await changeMessage(tx, principal, key, { folder: 'trash', trashedAt: now });
  await toBePurged(tx, enqueueJob, key, now);
}

/** Has a message deleted that came to the trash now. */
export async function toBePurged(
  tx: Tx,
  enqueueJob: EnqueueJob,
  { accountId, address, id }: Pick<Message, 'accountId' | 'address' | 'id'>,
  now: number,
): Promise<void> {
  const payload = { accountId, address, id, trashedAt: now };
  await enqueueJob(tx, { kind: 'mailbox.purge', payload, runAt: purgeableAt(payload) });
}

/** Whether a message is still in the trash since that time. One that was restored meanwhile has another time, or none. */
async function isTrashed(reader: Reader, { address, id, trashedAt }: TrashedMessage): Promise<boolean> {
  return (await findMessage(reader, address, id, 'trash'))?.trashedAt === trashedAt;
}

/** Deletes a message of the trash for good. @returns false when it is there no longer */
export async function purge(tx: Tx, trashed: TrashedMessage): Promise<boolean> {
  const isThere = await isTrashed(tx, trashed);
  if (isThere) await removeMessage(tx, { accountId: trashed.accountId, addresses: null }, trashed, 'trash');
  return isThere;
}
