import { ApiError } from '../../../../api/errors.ts';
import type { NewEvent } from '../../../../api/events.ts';
import { newestFirst, type Page } from '../../../../api/page.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { idBoundary } from '../../../../base/ids.ts';
import type { JobEffects } from '../../../../jobs/job-effects.ts';
import { lockAddresses } from '../../../account/addresses/address.ts';
import { readBody, releaseContent } from '../content/mail-content.ts';
import { arrivalIn, count } from '../messages/mail-delivery.ts';
import { copiesOf, deleteMessage, showMessage } from '../messages/message-store.ts';
import type { Message } from '../messages/message-table.ts';
import { indexOlder } from '../search/older-mail-index.ts';
import { joinThread } from '../threads/threading.ts';
import { findQuarantined, listQuarantined, oldestQuarantined, takeOut } from './quarantine-store.ts';
import type { Quarantined } from './quarantine-table.ts';

/** Lists what is kept back, newest first, without content. @throws ApiError `invalid_cursor` */
export const pageOfQuarantine = (
  reader: Reader,
  accountId: string,
  page: { cursor: string | undefined; limit: number },
): Promise<Page<Quarantined>> =>
  newestFirst(
    'msg',
    page,
    (before, many) => listQuarantined(reader, { accountId }, { messageId: before }, many),
    ({ messageId }) => messageId,
  );

/** The message behind an entry of the quarantine of an address. */
export async function quarantinedAt(reader: Reader, address: string, id: string): Promise<Message | null> {
  const entry = await findQuarantined(reader, id);
  return entry?.address === address ? messageOf(reader, entry) : null;
}

const messageOf = async (reader: Reader, { contentId, messageId }: Quarantined): Promise<Message | null> =>
  (await copiesOf(reader, contentId)).find(({ id }) => id === messageId) ?? null;

/** Takes a message out of the quarantine of an account, under the lock of its address. @throws ApiError `not_found` */
async function takeMessage(tx: Tx, accountId: string, id: string): Promise<Message> {
  const entry = await findQuarantined(tx, id);
  if (entry?.accountId !== accountId) throw new ApiError('not_found');
  await lockAddresses(tx, [entry.address]);
  const message = await messageOf(tx, entry);
  if (message === null || (await takeOut(tx, id)) === 0) throw new ApiError('not_found');
  return message;
}

/** Shows a message as if it had just arrived. @returns its event @throws ApiError `not_found` */
export async function releaseMessage(tx: Tx, accountId: string, id: string, now: number): Promise<NewEvent> {
  const kept = await takeMessage(tx, accountId, id);
  const { address, inReplyTo, references, subject } = kept;
  const hints = { accountId, address, inReplyTo, references, subject, now };
  const threadId = await joinThread(tx, hints, arrivalIn(kept));
  const message: Message = { ...kept, threadId, visible: true };
  await showMessage(tx, message);
  if (!message.encryption) await indexOlder(tx, message);
  return count(tx, message, (await readBody(tx, message.contentId))?.findings ?? null, now);
}

/** Deletes a message in quarantine for good. @throws ApiError `not_found` */
export async function deleteQuarantined(tx: Tx, accountId: string, id: string): Promise<void> {
  const message = await takeMessage(tx, accountId, id);
  await deleteMessage(tx, message);
  await releaseContent(tx, message.contentId);
}

/** Messages that one sweep deletes. The next one goes on. */
const EXPIRED_AT_A_TIME = 200;

/** Deletes mail that came before a time and was not released. */
export async function expireQuarantine(tx: Tx, jobEffects: JobEffects, before: number, now: number): Promise<void> {
  const counts = new Map<string, number>();
  for (const entry of await oldestQuarantined(tx, idBoundary('msg', before), EXPIRED_AT_A_TIME)) {
    await lockAddresses(tx, [entry.address]);
    const message = await messageOf(tx, entry);
    // Another instance may have been faster.
    if ((await takeOut(tx, entry.messageId)) === 0 || message === null) continue;
    await deleteMessage(tx, message);
    await releaseContent(tx, message.contentId);
    counts.set(entry.accountId, (counts.get(entry.accountId) ?? 0) + 1);
  }
  // In one order, as the audit log takes its chains.
  for (const [accountId, count] of [...counts].sort())
    await jobEffects.note(tx, { accountId, action: 'quarantine.expired', resourceId: null, count, now });
}
