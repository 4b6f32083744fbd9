import type { AppendEvent } from '../../kernel/events.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import type { MailTransport, SendOutcome } from '../../mail/smtp-out.ts';
import { readRaw, releaseContent } from './content-store.ts';
import { findOutbox, type OutboxEntry, settleOutbox } from './outbox-store.ts';

export interface DispatchDeps {
  database: Database;
  transport: MailTransport;
  appendEvent: AppendEvent<Tx>;
  /** Told where the development outbox put a mail; never what is in it. */
  onSent(fact: { id: string; provider: string; providerId: string }): void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Waits before the second and later attempts (decisions.md, Mail); after the last the mail has failed. */
const RETRY_DELAYS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] as const;

/** Recipients the relay would not take although it took the mail for others. */
function refusalsOf(result: SendOutcome): string | null {
  const refusals = result.rejected.map(({ address, reason }) => `${address}: ${reason}`);
  return refusals.length > 0 ? refusals.join('; ').slice(0, 500) : null;
}

/** One attempt at handing an outgoing mail to the relay, as a durable job. */
export function createDispatch(deps: DispatchDeps): (attempt: JobAttempt<'mail.outbound'>) => Promise<JobOutcome> {
  const { database, transport, appendEvent } = deps;

  /** Ends the entry, frees the content, states the fact; nothing if an earlier attempt ended it. */
  async function end(
    tx: Tx,
    entry: OutboxEntry,
    outcome: { providerId: string; error: string | null } | { error: string },
    now: number,
  ): Promise<void> {
    const sent = 'providerId' in outcome;
    const { error } = outcome;
    const settled = await settleOutbox(tx, entry.id, {
      status: sent ? 'sent' : 'failed',
      providerId: sent ? outcome.providerId : null,
      error,
      sentAt: sent ? now : null,
    });
    if (!settled) return;
    if (entry.contentId) await releaseContent(tx, entry.contentId);
    const { id, accountId, address: from, recipients: to, subject, provider } = entry;
    if (sent) await appendEvent(tx, { accountId, type: 'email.sent', data: { id, from, to, subject, provider }, now });
    else
      await appendEvent(tx, {
        accountId,
        type: 'email.failed',
        data: { id, from, to, subject, error: error ?? '' },
        now,
      });
  }

  function outcomeOf(entry: OutboxEntry, result: SendOutcome, attempt: number, now: number): JobOutcome {
    if (result.status === 'sent') {
      deps.onSent({ id: entry.id, provider: transport.provider, providerId: result.providerId });
      return {
        status: 'done',
        settle: (tx) => end(tx, entry, { providerId: result.providerId, error: refusalsOf(result) }, now),
      };
    }
    const delay = RETRY_DELAYS_MS[attempt - 1];
    if (result.status === 'rejected' || delay === undefined) {
      return { status: 'done', settle: (tx) => end(tx, entry, { error: result.reason }, now) };
    }
    return { status: 'retry', reason: result.reason, runAt: now + delay };
  }

  return async ({ payload, attempt, now }) => {
    const entry = await findOutbox(database, payload.outboxId);
    if (entry?.status !== 'pending' || entry.contentId === null) return { status: 'done' };
    const raw = await readRaw(database, entry.contentId);
    if (!raw) return { status: 'done', settle: (tx) => end(tx, entry, { error: 'The mail is gone.' }, now) };
    const result = await transport.send({
      id: entry.id,
      envelopeFrom: entry.address,
      recipients: entry.externalRecipients,
      raw: Buffer.from(raw),
    });
    return outcomeOf(entry, result, attempt, now);
  };
}
