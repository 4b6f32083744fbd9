import type { AppendEvent, EventData } from '../../kernel/events.ts';
import type { Tx } from '../../kernel/transaction.ts';

type Fact<T extends keyof EventData> = { accountId: string; type: T; data: EventData[T]; now: number };

/** An event that mail appends to the log of an account. */
export type MailFact = Fact<'email.received'> | Fact<'email.sent'> | Fact<'email.failed'>;

/**
 * Appends events in the order of their accounts. An append locks the log of its account until the transaction ends, so
 * in another order two agents that mail each other at the same time could deadlock.
 */
export async function appendFacts(tx: Tx, appendEvent: AppendEvent<Tx>, facts: readonly MailFact[]): Promise<void> {
  const ordered = facts.toSorted((a, b) => Number(a.accountId > b.accountId) - Number(a.accountId < b.accountId));
  for (const fact of ordered) await appendEvent(tx, fact);
}
