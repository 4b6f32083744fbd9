import type { AppendEvent, EventData } from '../../kernel/events.ts';
import type { Tx } from '../../kernel/transaction.ts';

type Fact<T extends keyof EventData> = { accountId: string; type: T; data: EventData[T]; now: number };

/** What mail tells the log of an account. */
export type MailFact = Fact<'email.received'> | Fact<'email.sent'> | Fact<'email.failed'>;

/**
 * Appends facts in the order of their accounts. An append holds its account's log until the transaction ends, so two
 * agents that write to each other at the same moment would otherwise each hold what the other waits for.
 */
export async function appendFacts(tx: Tx, appendEvent: AppendEvent<Tx>, facts: readonly MailFact[]): Promise<void> {
  const ordered = facts.toSorted((a, b) => Number(a.accountId > b.accountId) - Number(a.accountId < b.accountId));
  for (const fact of ordered) await appendEvent(tx, fact);
}
