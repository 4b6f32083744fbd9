import type { EnqueueJob, JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Tx } from '../../../api/transaction.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import type { DkimKey } from '../../../mail/smtp-out/dkim.ts';
import type { MailSender } from '../../../mail/smtp-out/domain-slots.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import { dkimKeyOf } from '../../account/domains/stack.ts';
import type { Sender } from '../mail-policy/mail-policy-table.ts';
import { readRaw } from '../mailboxes/content/mail-content.ts';
import { findOutbox, type OutboxEntry, type Outcome } from '../mailboxes/messages/sent.ts';
import { wasApproved } from '../reviews/review.ts';
import { recordOutcomes } from './delivery-status.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { type Attempted, createDelivery } from './recipient-delivery.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Delays before the second and later attempts. After the last attempt the mail has failed. */
const RETRY_DELAYS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] as const;

/** The external recipients without an outcome, at one domain or at all. The others must not get the mail twice. */
function waitingOf({ externalRecipients, outcomes }: OutboxEntry, domain: string | undefined): string[] {
  const known = new Set(outcomes.map(({ address }) => address));
  return externalRecipients.filter(
    (recipient) => !known.has(recipient) && (domain === undefined || domainOf(recipient) === domain),
  );
}

type Payload = JobAttempt<'mail.outbound'>['payload'];

/** Puts jobs in the place of one. */
const replacedBy = (enqueueJob: EnqueueJob, payloads: readonly Payload[], runAt: number): JobOutcome => ({
  status: 'done',
  complete: async (tx) => {
    for (const payload of payloads) await enqueueJob(tx, { kind: 'mail.outbound', payload, runAt });
  },
});

async function senderOf({ database }: OutboxDeps, accountId: string): Promise<MailSender> {
  const account = await findAccount(database, accountId);
  return { accountId, platformId: account?.parentId ?? accountId };
}

/** The outcomes of recipients that are not tried: a policy may have become narrower since the mail was made. */
async function barredOf(
  { database, sendPolicy }: OutboxDeps,
  { id, ...from }: Sender & { id: string },
  waiting: readonly string[],
) {
  return (await sendPolicy.refused(database, from, waiting, () => wasApproved(database, id))).map(
    ({ recipient, by }) => ({
      address: recipient,
      providerId: null,
      error: `recipient_not_allowed: the mail policy of the ${by} does not allow this recipient any more.`,
    }),
  );
}

/** Makes the job handler that hands over an outgoing mail, one attempt at a time. */
export function createDispatch(deps: OutboxDeps): (attempt: JobAttempt<'mail.outbound'>) => Promise<JobOutcome> {
  const { database, transport, appendEvents, enqueueJob } = deps;

  /** The DKIM key of the account's own domain, if the mail is from one. Null: the account has lost the domain. */
  async function signerOf({ address, accountId }: OutboxEntry): Promise<{ dkim?: DkimKey } | null> {
    if (domainOf(address) === deps.mailDomain) return {};
    const dkim = await dkimKeyOf(database, deps.sealer, accountId, domainOf(address));
    return dkim && { dkim };
  }

  type Deferred = Parameters<typeof recordOutcomes>[2]['deferred'];
  const record =
    (outboxId: string, outcomes: readonly Outcome[], now: number, deferred?: Deferred) => async (tx: Tx) => {
      const news = await recordOutcomes(tx, appendEvents, { outboxId, outcomes, source: 'attempt', now, deferred });
      if (news) await deps.suppressions.learn(tx, news.entry, news, now);
    };

  function outcomeOf(id: string, { settled, waiting }: Attempted, attempt: number, now: number): JobOutcome {
    const delay = RETRY_DELAYS_MS[attempt - 1];
    const [first] = waiting;
    if (first !== undefined && delay !== undefined) {
      const nextAt = now + delay;
      const complete = record(id, settled, now, { nextAt, waiting });
      return { status: 'retry', reason: first.reason, runAt: nextAt, complete };
    }
    const givenUp = waiting.map(({ address, reason }) => ({ address, providerId: null, error: reason }));
    return { status: 'done', complete: record(id, [...settled, ...givenUp], now) };
  }

  return async ({ payload, attempt: ofJob, now, signal }) => {
    const attempt = ofJob + (payload.before ?? 0);
    const entry = await findOutbox(database, payload.outboxId);
    if (entry?.status !== 'pending' || entry.contentId === null) return { status: 'done' };
    const { id } = entry;
    const waiting = waitingOf(entry, payload.domain);
    const parts = [...new Set(waiting.map(domainOf))].map((domain) => ({ outboxId: id, domain, before: attempt - 1 }));
    // A job for each domain: each is recorded as soon as its server has answered, so that a crash repeats none of them.
    if (transport.byDomain && parts.length > 1) return replacedBy(enqueueJob, parts, now);
    const raw = await readRaw(database, entry.contentId);
    const signer = await signerOf(entry);
    if (!raw || !signer) {
      const error = raw ? 'The sender’s domain is no longer verified.' : 'The mail is no longer stored.';
      const gone = waiting.map((address) => ({ address, providerId: null, error }));
      return { status: 'done', complete: record(id, gone, now) };
    }
    const sender = await senderOf(deps, entry.accountId);
    const barred = await barredOf(deps, { ...entry, ...sender }, waiting);
    const tried = waiting.filter((recipient) => !barred.some(({ address }) => address === recipient));
    if (tried.length === 0) return { status: 'done', complete: record(id, barred, now) };
    const send = createDelivery(deps, entry, {
      raw: Buffer.from(raw.buffer, raw.byteOffset, raw.length),
      sender,
      ...signer,
      signal,
    });
    const sent = await send(tried, (found) => database.transaction(record(id, found, now)));
    // No attempt was made, so none is counted.
    const { busyMs } = sent;
    if (busyMs !== undefined) return replacedBy(enqueueJob, [{ ...payload, before: attempt - 1 }], now + busyMs);
    return outcomeOf(id, { settled: [...barred, ...sent.settled], waiting: sent.waiting }, attempt, now);
  };
}
