import type { AppendEvent, NewEvent } from '../../kernel/events.ts';
import type { Tx } from '../../kernel/transaction.ts';

/** An event that mail appends to the log of an account. */
export type MailEvent = Extract<NewEvent, { type: 'email.received' | 'email.sent' | 'email.failed' }>;

/**
 * Appends events in the order of their accounts. An append locks the log of its account until the transaction ends, so
 * in another order two agents that mail each other at the same time could deadlock.
 */
export async function appendMailEvents(
  tx: Tx,
  appendEvent: AppendEvent<Tx>,
  events: readonly MailEvent[],
): Promise<void> {
  const ordered = events.toSorted((a, b) => Number(a.accountId > b.accountId) - Number(a.accountId < b.accountId));
  for (const event of ordered) await appendEvent(tx, event);
}
