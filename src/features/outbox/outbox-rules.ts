import type { AppendEvents } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { limitFields } from '../../kernel/limit-reached.ts';
import { newestFirst, type Page } from '../../kernel/page.ts';
import { secondsUntil } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { stripQuoted } from '../../mail/reply-text.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { type EmailQuota, takeEmailQuota } from '../limits/quota-rules.ts';
import type { SendPolicy } from '../mail-policy/send-policy-rules.ts';
import { type DeliverableMail, participantsOf } from '../mailboxes/delivery-rules.ts';
import type { MailboxRules } from '../mailboxes/mailbox-rules.ts';
import { insertOutbox, listOutbox, type OutboxEntry, snippetOfSent } from '../mailboxes/sent-rules.ts';
import { changeThread, findThread, threadFor } from '../mailboxes/threading-rules.ts';
import type { Offer, PayingCall, PaymentRules } from '../payments/payment-rules.ts';
import type { Suppressions } from '../suppressions/suppression-rules.ts';
import type { Draft } from './draft-rules.ts';
import {
  deliverInternally,
  type InternalDelivery,
  type InternalRecipient,
  sortRecipients,
} from './internal-delivery-rules.ts';
import { endEvents, statusOf } from './outcome-rules.ts';

export type { OutboxEntry };

/** Checks which addresses a caller may send from, and which messages it may answer. */
export type Senders = Pick<MailboxRules, 'sender' | 'anyMessage' | 'ownAddresses'>;

export interface SentMail {
  entry: OutboxEntry;
  internalRecipients: InternalRecipient[];
  quota: EmailQuota;
  /** The payment, if the email was over the limit. */
  paymentId: string | null;
}

/** The payment that a request offers in case the mail is over the limit. */
export interface PaymentOffer {
  /** The absolute URL of the request. */
  resource: string;
  /** Null if the request offers none. */
  offer: Offer | null;
}

export interface OutboxDeps {
  mailDomain: string;
  addresses: Pick<AddressRules, 'receivesMail'>;
  payments: PaymentRules;
  suppressions: Pick<Suppressions, 'requireMaySend'>;
  policy: Pick<SendPolicy, 'admit'>;
  /** The provider that carries mail to external recipients. */
  provider: string;
  appendEvents: AppendEvents<Tx>;
  enqueueJob: EnqueueJob;
}

/** What a payment buys, in the terms of a 402. */
const PAID_ITEM = 'One email over the limit';

/** How much of a sent mail its conversation shows. */
const EXCERPT_CHARS = 10_000;

const INTERNAL_AUTH = { method: 'internal', spf: null, dkim: null, dmarc: null, verified_from: true } as const;

/** Sends mail and lists what was sent. */
export class OutboxRules {
  readonly #deps: OutboxDeps;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Reads and verifies the payment of a request. Call it outside the transaction, because it may use the network. */
  async paymentOffer(call: PayingCall, resource: string): Promise<PaymentOffer> {
    const offer = await this.#deps.payments.offered(call, { resource, description: PAID_ITEM });
    return { resource, offer };
  }

  /**
   * Delivers a mail to recipients of this service and queues it for the others.
   * @throws ApiError `recipient_suppressed`, `sending_paused`; 402 when the sender is over its email limit and the payment
   *   does not cover it; `recipient_not_allowed`, `secret_in_mail` or `rate_limited` by its mail policy
   */
  async send(tx: Tx, draft: Draft, principal: Principal, payment: PaymentOffer, now: number): Promise<SentMail> {
    const { mailDomain, addresses, enqueueJob, appendEvents, policy, suppressions } = this.#deps;
    const { recipients: named, secrets, parentThreadId } = draft;
    const recipients = await sortRecipients(tx, named, mailDomain);
    const { from } = draft.request;
    await suppressions.requireMaySend(tx, from.accountId, named, recipients.external.length, now);
    await policy.admit(tx, { from, recipients: named, secrets, threadId: parentThreadId }, now);
    const { quota, paymentId } = await this.#admit(tx, principal, payment, now);
    const id = newId('out', now);
    const threadId = await threadOf(tx, draft, now);
    const mail: DeliverableMail = {
      envelopeFrom: draft.request.from.address,
      raw: draft.raw,
      parsed: draft.parsed,
      auth: INTERNAL_AUTH,
    };
    const delivered = await deliverInternally(tx, addresses, mail, recipients, now);
    const entry = this.#entryOf(draft, { id, threadId, external: recipients.external, delivered }, now);
    await insertOutbox(tx, entry);
    const latest = { at: now, snippet: snippetOfSent(entry), people: participantsOf(draft.parsed) };
    await changeThread(tx, threadId, { messages: 1, latest });
    const isQueued = recipients.external.length > 0;
    if (isQueued) await enqueueJob(tx, { kind: 'mail.outbound', payload: { outboxId: id }, runAt: now });
    const events = isQueued ? delivered.events : [...delivered.events, ...endEvents(entry, now)];
    if (events.length > 0) await appendEvents(tx, events);
    return { entry, internalRecipients: delivered.recipients, quota, paymentId };
  }

  /** Lists what the caller's addresses sent, newest first. @throws ApiError `invalid_cursor` */
  list(reader: Reader, principal: Principal, cursor: string | undefined, limit: number): Promise<Page<OutboxEntry>> {
    return newestFirst(
      'out',
      { cursor, limit },
      (before, many) => listOutbox(reader, principal, before, many),
      ({ id }) => id,
    );
  }

  /** Counts the mail, or collects a payment for it. A paid mail counts against no limit. */
  async #admit(tx: Tx, principal: Principal, { resource, offer }: PaymentOffer, now: number) {
    const taken = await takeEmailQuota(tx, principal.quotaAccountId, principal.limits, now);
    const { quota } = taken;
    if (taken.admitted) return { quota, paymentId: null };
    const fields = limitFields(taken.limit.name, taken.limit, {
      rate_limit: { daily_remaining: quota.dailyRemaining, hourly_remaining: quota.hourlyRemaining },
    });
    const { paymentId } = await this.#deps.payments.collect(tx, offer, {
      accountId: principal.accountId,
      resource,
      description: PAID_ITEM,
      reason: taken.reason,
      fields,
      retryAfterSeconds: secondsUntil(taken.resetAt, now),
      now,
    });
    return { quota, paymentId };
  }

  #entryOf(draft: Draft, sent: SentDraft, now: number): OutboxEntry {
    const { id, threadId, external, delivered } = sent;
    const { request, recipients, rfcMessageId, parsed } = draft;
    const isQueued = external.length > 0;
    const outcomes = delivered.recipients.map(({ address, error }) => ({ address, providerId: null, error }));
    const { status, error } = isQueued ? { status: 'pending' as const, error: null } : statusOf(outcomes);
    return {
      id,
      accountId: request.from.accountId,
      address: request.from.address,
      contentId: isQueued ? delivered.contentId : null,
      threadId,
      rfcMessageId,
      recipients,
      externalRecipients: external,
      subject: request.subject,
      status,
      provider: isQueued ? this.#deps.provider : 'internal',
      providerId: isQueued ? null : rfcMessageId,
      error: status === 'failed' ? 'None of the recipients exists.' : error,
      queuedAt: now,
      sentAt: status === 'sent' ? now : null,
      outcomes,
      excerpt: delivered.isEncrypted ? null : excerptOf(parsed.text),
    };
  }
}

/** What sending adds to a draft. */
interface SentDraft {
  id: string;
  threadId: string;
  external: string[];
  delivered: InternalDelivery;
}

/** The thread of the message that the draft answers, else the one that its references find, else a new one. */
async function threadOf(tx: Tx, draft: Draft, now: number): Promise<string> {
  const { request, inReplyTo, references, parentThreadId } = draft;
  const { accountId, address } = request.from;
  // The thread may have been deleted since the draft was composed.
  const parent = parentThreadId === null ? null : await findThread(tx, parentThreadId);
  return parent?.id ?? threadFor(tx, { accountId, address, inReplyTo, references, subject: request.subject, now });
}

const excerptOf = (text: string): string => stripQuoted(text).slice(0, EXCERPT_CHARS).toWellFormed();
