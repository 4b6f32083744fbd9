import type { AppendEvent } from '../../kernel/events.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import type { DkimKey } from '../../mail/dkim.ts';
import type { MailTransport, SendOutcome } from '../../mail/smtp-out.ts';
import { dkimKeyOf } from '../stacks/stack-rules.ts';
import { readRaw, releaseContent } from './content-store.ts';
import { forgetSettled, keepSettled, type Settled, settledRecipients } from './dispatch-store.ts';
import { findOutbox, type OutboxEntry, settleOutbox } from './outbox-store.ts';

export interface DispatchDeps {
  database: Database;
  transport: MailTransport;
  mailDomain: string;
  appendEvent: AppendEvent<Tx>;
  /** Told where the development outbox put a mail; never what is in it. */
  onSent(fact: { id: string; provider: string; providerId: string }): void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Waits before the second and later attempts (decisions.md, Mail); after the last the mail has failed. */
const RETRY_DELAYS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] as const;

/** Splits what an attempt settled for good from the recipients worth another try. */
function settledBy(result: SendOutcome, tried: readonly string[]): { settled: Settled[]; waiting: string[] } {
  const refusals = new Map(result.rejected.map((refusal) => [refusal.address, refusal]));
  const settled: Settled[] = [];
  const waiting: string[] = [];
  for (const recipient of tried) {
    const refusal = refusals.get(recipient);
    if (result.status === 'rejected')
      settled.push({ recipient, providerId: null, refusal: refusal?.reason ?? result.reason });
    else if (refusal?.permanent) settled.push({ recipient, providerId: null, refusal: refusal.reason });
    else if (result.status === 'sent' && !refusal)
      settled.push({ recipient, providerId: result.providerId, refusal: null });
    else waiting.push(recipient);
  }
  return { settled, waiting };
}

const reasonFor = (result: SendOutcome, recipient: string): string =>
  result.rejected.find(({ address }) => address === recipient)?.reason ??
  (result.status === 'sent' ? result.detail : result.reason);

/** `sent` when anybody was served; the refused are named in `error`, one reason alone where it was one for all. */
function verdictOf(all: readonly Settled[]): { providerId: string; error: string | null } | { error: string } {
  const taken = all.find(({ providerId }) => providerId !== null);
  const refused = all.flatMap(({ recipient, refusal }) => (refusal === null ? [] : [{ recipient, refusal }]));
  const reasons = new Set(refused.map(({ refusal }) => refusal));
  const named = refused.map(({ recipient, refusal }) => `${recipient}: ${refusal}`).join('; ');
  const error = (taken === undefined && reasons.size === 1 ? [...reasons].join() : named).slice(0, 500).toWellFormed();
  if (taken?.providerId) return { providerId: taken.providerId, error: refused.length > 0 ? error : null };
  return { error };
}

/** One attempt at handing an outgoing mail to the relay, as a durable job. */
export function createDispatch(deps: DispatchDeps): (attempt: JobAttempt<'mail.outbound'>) => Promise<JobOutcome> {
  const { database, transport, appendEvent } = deps;

  /** Mail from a domain of its account's own bears that domain's signature. Null: the account has lost the domain. */
  async function signerOf({ address, accountId }: OutboxEntry): Promise<{ dkim?: DkimKey } | null> {
    if (domainOf(address) === deps.mailDomain) return {};
    const dkim = await dkimKeyOf(database, accountId, domainOf(address));
    return dkim && { dkim };
  }

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
    await forgetSettled(tx, entry.id);
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

  function outcomeOf(
    entry: OutboxEntry,
    earlier: readonly Settled[],
    result: SendOutcome,
    attempt: number,
    now: number,
  ): JobOutcome {
    const done = new Set(earlier.map(({ recipient }) => recipient));
    const tried = entry.externalRecipients.filter((recipient) => !done.has(recipient));
    const { settled, waiting } = settledBy(result, tried);
    if (result.status === 'sent')
      deps.onSent({ id: entry.id, provider: transport.provider, providerId: result.providerId });
    const delay = RETRY_DELAYS_MS[attempt - 1];
    if (waiting.length > 0 && delay !== undefined) {
      const reason = reasonFor(result, waiting[0] as string);
      return { status: 'retry', reason, runAt: now + delay, settle: (tx: Tx) => keepSettled(tx, entry.id, settled) };
    }
    const givenUp = waiting.map((recipient) => ({
      recipient,
      providerId: null,
      refusal: reasonFor(result, recipient),
    }));
    const verdict = verdictOf([...earlier, ...settled, ...givenUp]);
    return { status: 'done', settle: (tx: Tx) => end(tx, entry, verdict, now) };
  }

  return async ({ payload, attempt, now }) => {
    const entry = await findOutbox(database, payload.outboxId);
    if (entry?.status !== 'pending' || entry.contentId === null) return { status: 'done' };
    const raw = await readRaw(database, entry.contentId);
    if (!raw) return { status: 'done', settle: (tx) => end(tx, entry, { error: 'The mail is gone.' }, now) };
    const signer = await signerOf(entry);
    if (signer === null)
      return {
        status: 'done',
        settle: (tx) => end(tx, entry, { error: 'The sender’s domain is no longer verified.' }, now),
      };
    // Whoever has it already must not get it twice because another recipient's server was busy.
    const earlier = await settledRecipients(database, entry.id);
    const done = new Set(earlier.map(({ recipient }) => recipient));
    const result = await transport.send({
      id: entry.id,
      envelopeFrom: entry.address,
      recipients: entry.externalRecipients.filter((recipient) => !done.has(recipient)),
      raw: Buffer.from(raw),
      ...signer,
    });
    return outcomeOf(entry, earlier, result, attempt, now);
  };
}
