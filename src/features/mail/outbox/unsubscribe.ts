import { ApiError } from '../../../api/errors.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { findOutbox, type OutboxEntry } from '../mailboxes/messages/sent.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** The mail of a link, and the recipient who has it. @throws ApiError `not_found` */
export async function requireCopy(
  reader: Reader,
  { unsubscribing }: Pick<OutboxDeps, 'unsubscribing'>,
  token: string,
): Promise<{ entry: OutboxEntry; recipient: string }> {
  const copy = unsubscribing.read(token);
  const entry = copy && (await findOutbox(reader, copy.outboxId));
  const recipient = entry?.recipients[copy?.recipient ?? -1];
  if (!entry?.unsubscribe || recipient === undefined) throw new ApiError('not_found');
  return { entry, recipient };
}

/** Stops mail from an account to the recipient of a copy. @returns the account @throws ApiError `not_found` */
export async function unsubscribe(
  tx: Tx,
  deps: Pick<OutboxDeps, 'suppressions' | 'unsubscribing'>,
  token: string,
  now: number,
): Promise<string> {
  const { entry, recipient } = await requireCopy(tx, deps, token);
  await deps.suppressions.unsubscribe(tx, entry, recipient, now);
  return entry.accountId;
}
