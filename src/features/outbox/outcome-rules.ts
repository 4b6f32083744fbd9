import type { AppendEvent } from '../../kernel/events.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { releaseContent } from '../mailboxes/content-rules.ts';
import type { MailEvent } from '../mailboxes/mail-event-rules.ts';
import { lockOutbox, type OutboxEntry, type Outcome, updateOutbox } from '../mailboxes/sent-rules.ts';

/** Who speaks: an attempt to hand the mail over, or a report that came back after it was. */
export type OutcomeSource = 'attempt' | 'report';

const ERROR_CHARS = 500;

type Failed = { address: string; error: string };

const failedOf = (outcomes: readonly Outcome[]): Failed[] =>
  outcomes.flatMap(({ address, error }) => (error === null ? [] : [{ address, error }]));

/** One reason alone where it was one for all, else each with the address. */
function errorOf(failed: readonly Failed[], all: boolean): string | null {
  if (failed.length === 0) return null;
  const reasons = new Set(failed.map(({ error }) => error));
  const named = failed.map(({ address, error }) => `${address}: ${error}`).join('; ');
  return (all && reasons.size === 1 ? [...reasons].join() : named).slice(0, ERROR_CHARS).toWellFormed();
}

/** What the mail as a whole has come to: `sent` when anybody was served, the others are named in `error`. */
export function verdictOf(outcomes: readonly Outcome[]): Pick<OutboxEntry, 'status' | 'error'> {
  const failed = failedOf(outcomes);
  const all = failed.length === outcomes.length;
  return { status: all ? 'failed' : 'sent', error: errorOf(failed, all) };
}

const sentFact = ({ id, accountId, address, recipients, subject, provider }: OutboxEntry, now: number): MailEvent => ({
  accountId,
  type: 'email.sent',
  data: { id, from: address, to: recipients, subject, provider },
  now,
});

const failedFact = (entry: OutboxEntry, failed: readonly Failed[], now: number): MailEvent => {
  const { id, accountId, address, recipients, subject, status } = entry;
  const error = errorOf(failed, status === 'failed' && failed.length === recipients.length) ?? '';
  const data = { id, from: address, to: recipients, subject, error, status, recipients: [...failed] };
  return { accountId, type: 'email.failed', data, now };
};

/** What an account is told when a mail has ended: that it went, whom it did not reach, or both. */
export function endFacts(entry: OutboxEntry, now: number): MailEvent[] {
  const failed = failedOf(entry.outcomes);
  const facts = entry.status === 'sent' ? [sentFact(entry, now)] : [];
  return failed.length > 0 ? [...facts, failedFact(entry, failed, now)] : facts;
}

/** Whether the word of `source` counts beside what is known. */
function counts(known: Outcome | undefined, next: Outcome, source: OutcomeSource): boolean {
  if (known === undefined) return true;
  // The first word stands: an attempt that outlived its lease knows less. Only a report may say what came back.
  return source === 'report' && known.error === null && next.error !== null;
}

/**
 * Writes down what became of recipients, ends the mail when nobody is waiting for it any more, and states the facts.
 * Repeating it changes nothing. A recipient the mail does not have is ignored.
 */
export async function recordOutcomes(
  tx: Tx,
  appendEvent: AppendEvent<Tx>,
  news: { outboxId: string; outcomes: readonly Outcome[]; source: OutcomeSource; now: number },
): Promise<void> {
  const { source, now } = news;
  const entry = await lockOutbox(tx, news.outboxId);
  if (!entry) return;
  const known = new Map(entry.outcomes.map((outcome) => [outcome.address, outcome]));
  const failed: Failed[] = [];
  let changed = false;
  for (const next of news.outcomes) {
    const before = known.get(next.address);
    if (!entry.recipients.includes(next.address) || !counts(before, next, source)) continue;
    known.set(next.address, { ...next, providerId: next.providerId ?? before?.providerId ?? null });
    if (next.error !== null) failed.push({ address: next.address, error: next.error });
    changed = true;
  }
  if (!changed) return;
  const outcomes = [...known.values()];
  const wasPending = entry.status === 'pending';
  if (wasPending && outcomes.length < entry.recipients.length) {
    await updateOutbox(tx, { ...entry, outcomes });
    return;
  }
  const { status, error } = verdictOf(outcomes);
  const providerId = entry.providerId ?? outcomes.find((outcome) => outcome.providerId !== null)?.providerId ?? null;
  const sentAt = entry.sentAt ?? (status === 'sent' ? now : null);
  const ended: OutboxEntry = { ...entry, outcomes, status, error, providerId, sentAt, contentId: null };
  await updateOutbox(tx, ended);
  if (entry.contentId !== null) await releaseContent(tx, entry.contentId);
  const facts = wasPending ? endFacts(ended, now) : [failedFact(ended, failed, now)];
  for (const fact of facts) await appendEvent(tx, fact);
}
