import { limitFields } from '../../../api/metering/limit-reached.ts';
import { missingError, newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isId, newId } from '../../../base/ids.ts';
import { secondsUntil } from '../../../base/period.ts';
import { type Limited, lockAddresses, mayUse } from '../../account/addresses/address.ts';
import { RELEASED_MAIL_MS } from '../../account/addresses/address-release.ts';
import {
  type EmailQuota,
  returnEmailQuota,
  takeEmailQuota,
  takeTriedRecipients,
} from '../../service/limits/email-quota.ts';
import type { Offer, PayingCall } from '../../service/payments/payment.ts';
import type { HoldReason } from '../mail-policy/send-policy.ts';
import { readBody } from '../mailboxes/content/mail-content.ts';
import { participantsOf } from '../mailboxes/messages/mail-delivery.ts';
import { hasSuspicious, markAnswered } from '../mailboxes/messages/message.ts';
import {
  contentOfSent,
  findOutbox,
  insertOutbox,
  listOutbox,
  type OutboxEntry,
  readSentText,
  snippetOfSent,
} from '../mailboxes/messages/sent.ts';
import { shownSubject, shownText } from '../mailboxes/messages/shown-mail.ts';
import { metadataTerms } from '../mailboxes/search/message-terms.ts';
import {
  changeThread,
  findThread,
  newThreadId,
  startThread,
  threadOfAncestors,
} from '../mailboxes/threads/threading.ts';
import { openReviewsOf } from '../reviews/review.ts';
import type { OpenReview } from '../reviews/review-table.ts';
import type { HeldMail } from './held-mail.ts';
import { type InternalRecipient, type SortedRecipients, sortRecipients } from './internal-delivery.ts';
import type { Draft } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { handOver, INTERNAL_AUTH, NOBODY } from './send-stage.ts';

export type { OutboxEntry };
/** A sent mail as its caller may see it. It may quote one that came. */
export type ShownEntry = OutboxEntry & { masked?: true };

/** The account that a mail is from, and whose quotas it uses. */
export type SendingAccount = Pick<Principal, 'accountId' | 'quotaAccountId' | 'limits'> &
  Partial<Pick<Principal, 'delegation'>>;

export interface SentMail {
  entry: OutboxEntry;
  internalRecipients: InternalRecipient[];
  quota: EmailQuota;
  /** The payment, if the email was over the limit. */
  paymentId: string | null;
  /** The review that it waits for; null when it has left. */
  review: { id: string; reason: HoldReason } | null;
}

/** The payment that a request offers in case the mail is over the limit. */
export interface PaymentOffer {
  /** The absolute URL of the request. */
  resource: string;
  /** Null if the request offers none. */
  offer: Offer | null;
}

/** A page of sent mail. */
export interface SentPage {
  cursor: string | undefined;
  limit: number;
  /** What the metadata holds, as text. */
  metadata: Readonly<Record<string, string>> | undefined;
}

/** What a payment buys, in the terms of a 402. */
const PAID_ITEM = 'One email over the limit';

/** Sends mail and lists what was sent. */
export class OutboxRules {
  readonly #deps: OutboxDeps;
  readonly #held: HeldMail;

  constructor(deps: OutboxDeps, held: HeldMail) {
    this.#deps = deps;
    this.#held = held;
  }

  /** Reads and verifies the payment of a request. Call it outside the transaction, because it may use the network. */
  async paymentOffer(call: PayingCall, resource: string): Promise<PaymentOffer> {
    const offer = await this.#deps.payments.offered(call, { resource, description: PAID_ITEM });
    return { resource, offer };
  }

  /**
   * Delivers a mail to recipients of this service and queues it for the others, or keeps it for a review.
   * @throws ApiError `recipient_suppressed`, `sending_paused`; 402 when the sender is over its email limit and the payment
   *   does not cover it; `recipient_not_allowed`, `secret_in_mail` or `rate_limited` by its mail policy
   */
  async send(tx: Tx, written: Draft, principal: SendingAccount, payment: PaymentOffer, now: number): Promise<SentMail> {
    const { sendPolicy, suppressions, mailDomain, limits } = this.#deps;
    const sorted = await sortRecipients(tx, written.recipients, mailDomain);
    const { length: many } = sorted.internal;
    // It says which of them take mail, unseen and without a quota.
    if (many > 0)
      tx.dryRun?.counts((later) =>
        takeTriedRecipients(later, principal.quotaAccountId, many, limits.tried_recipients_per_hour, now),
      );
    const draft = { ...written, recipients: inOneSpelling(written.recipients, sorted) };
    const { recipients, secrets, request } = draft;
    await suppressions.requireMaySend(tx, request.from.accountId, recipients, sorted.external.length, now);
    const known = await knownThread(tx, draft);
    const answersSuspicious = async () => known !== null && hasSuspicious(tx, known);
    const actors = principal.delegation?.actors ?? [];
    const outgoing = {
      from: { ...request.from, platformId: principal.quotaAccountId, actors },
      recipients,
      secrets,
      writtenAt: request.writtenAt ?? now,
      answersSuspicious,
    };
    const { reason, counted } = await sendPolicy.admit(tx, outgoing, now);
    const admitted = await this.#admit(tx, principal, payment, reason !== null, now).catch(async (err) => {
      // An invitation that is refused leaves its event, so the transaction goes on.
      await sendPolicy.giveBack(tx, request.from.accountId, counted, recipients.length, now);
      throw err;
    });
    const { quota, paymentId, promised } = admitted;
    const made = { ...entryOf(draft, newId('out', now), known ?? newThreadId(now), now), actors };
    await this.#requireRoom(tx, principal, draft, sorted, reason !== null, now);
    if (reason !== null) {
      const countedFor = promised === null ? principal.quotaAccountId : null;
      const holding = { draft, entry: made, reason, countedFor, counted, payment: promised };
      const { entry, review } = await this.#held.hold(tx, holding, now);
      await store(tx, entry, draft, known, now);
      await markAnswered(tx, request.from.address, answeredBy(draft));
      return { entry, internalRecipients: [], quota, paymentId, review };
    }
    const { raw, parsed, written: ahead } = draft;
    const mail = {
      envelopeFrom: request.from.address,
      raw,
      sizeBytes: raw.length,
      parsed,
      auth: INTERNAL_AUTH,
      ...(ahead && { written: ahead }),
    };
    const { entry, internalRecipients, finish } = await handOver(tx, this.#deps, mail, made, sorted, now);
    await store(tx, entry, draft, known, now);
    await finish(tx);
    await markAnswered(tx, request.from.address, answeredBy(draft));
    const sent = { entry, internalRecipients, paymentId, review: null };
    if (entry.error !== NOBODY || paymentId !== null) return { ...sent, quota };
    // In the order in which it was counted. A typing error costs none of the emails of the day.
    await sendPolicy.giveBack(tx, request.from.accountId, counted, recipients.length, now);
    await returnEmailQuota(tx, principal.quotaAccountId, now);
    const { dailyRemaining, hourlyRemaining } = quota;
    return { ...sent, quota: { ...quota, dailyRemaining: dailyRemaining + 1, hourlyRemaining: hourlyRemaining + 1 } };
  }

  /**
   * A sent mail of the caller, with its text; null where the sender or a recipient keeps mail sealed.
   * @throws ApiError `not_found`, `no_longer_kept`: it may have gone with its address
   */
  async read(
    reader: Reader,
    principal: Principal,
    id: string,
    now: number,
  ): Promise<{ entry: ShownEntry; text: string | null }> {
    const { entry, text: whole } = await this.#whole(reader, principal, id, now);
    const { text, ...seen } = shownText(principal, entry.subject, whole);
    return { entry: { ...entry, ...seen }, text };
  }

  async #whole(
    reader: Reader,
    principal: Limited,
    id: string,
    now: number,
  ): Promise<{ entry: OutboxEntry; text: string | null }> {
    const entry = isId('out', id) ? await findOutbox(reader, id) : null;
    if (entry === null || entry.imported || !mayUse(principal, entry))
      throw missingError('out', id, now, RELEASED_MAIL_MS);
    if (entry.excerpt === null) return { entry, text: null };
    const contentId = await contentOfSent(reader, entry);
    const content = contentId === null ? null : await readBody(reader, contentId);
    return { entry, text: content?.text ?? (await readSentText(reader, id)) ?? entry.excerpt };
  }

  /** Lists what the caller's addresses sent, newest first. @throws ApiError `invalid_cursor` */
  async list(reader: Reader, principal: Principal, page: SentPage): Promise<Page<ShownEntry>> {
    const { accountId, addresses } = principal;
    const terms = metadataTerms(page.metadata ?? null);
    const found = await newestFirst(
      'out',
      page,
      (before, many) => listOutbox(reader, { accountId, addresses, terms }, before, many),
      ({ id }) => id,
    );
    return { ...found, rows: found.rows.map((entry) => ({ ...entry, ...shownSubject(principal, entry) })) };
  }

  /** The reviews that some of these mails wait for, by the ids of the mails. Most mail waits for none. */
  async openReviews(
    reader: Reader,
    entries: readonly OutboxEntry[],
    now: number,
  ): Promise<ReadonlyMap<string, OpenReview>> {
    const waiting = entries.filter(({ status }) => status === 'pending').map(({ id }) => id);
    return waiting.length === 0 ? new Map() : openReviewsOf(reader, waiting, now);
  }

  /**
   * Counts the mail, or collects a payment for it. A paid mail counts against no limit. The payment of a mail that is held
   * is only reserved: it is settled when the mail is released.
   */
  async #admit(tx: Tx, principal: SendingAccount, { resource, offer }: PaymentOffer, isHeld: boolean, now: number) {
    const taken = await takeEmailQuota(tx, principal.quotaAccountId, principal.limits, now);
    const { quota } = taken;
    if (taken.admitted) return { quota, paymentId: null, promised: null };
    const fields = limitFields(taken.limit.name, taken.limit, {
      rate_limit: { daily_remaining: quota.dailyRemaining, hourly_remaining: quota.hourlyRemaining },
    });
    const demand = {
      accountId: principal.accountId,
      resource,
      description: PAID_ITEM,
      reason: taken.reason,
      retryAfterSeconds: secondsUntil(taken.resetAt, now),
    };
    const asked = { ...demand, fields, now };
    if (isHeld) {
      const { payment, paymentId: reservedId } = await this.#deps.payments.reserve(tx, offer, asked);
      return { quota, paymentId: null, promised: { payment, demand, reservedId } };
    }
    return { quota, ...(await this.#deps.payments.collect(tx, offer, asked)), promised: null };
  }

  /** A mail is kept while it waits for a review and until it has left the service, and then as it was made. */
  async #requireRoom(
    tx: Tx,
    principal: SendingAccount,
    { request, raw }: Draft,
    { internal, external }: SortedRecipients,
    isHeld: boolean,
    now: number,
  ): Promise<void> {
    const { storage } = this.#deps;
    const locked = await lockAddresses(tx, [request.from.address, ...internal]);
    // Where the sender or a recipient keeps mail sealed, nothing stays of it.
    const isSealed = [...locked.values()].some(({ publicKey }) => publicKey !== null);
    if (external.length === 0 && !isHeld && isSealed) return;
    const accounts = [...locked.values()].map(({ accountId }) => accountId);
    await storage.lock(tx, [...accounts, principal.accountId]);
    await storage.requireRoom(tx, principal, raw.length, now);
  }
}

/** The recipients as their outcomes name them: those inside in lower case, each once. */
function inOneSpelling(recipients: readonly string[], { internal }: SortedRecipients): string[] {
  const folded = recipients.map((each) => (internal.includes(each.toLowerCase()) ? each.toLowerCase() : each));
  return [...new Set(folded)];
}

/** The entry of a mail before it has left. */
const entryOf = (
  { request, recipients, rfcMessageId, metadata }: Draft,
  id: string,
  threadId: string,
  now: number,
): OutboxEntry => ({
  id,
  accountId: request.from.accountId,
  address: request.from.address,
  contentId: null,
  threadId,
  rfcMessageId,
  recipients,
  externalRecipients: [],
  subject: request.subject,
  status: 'pending',
  provider: 'internal',
  providerId: null,
  error: null,
  queuedAt: now,
  sentAt: null,
  failedAt: null,
  outcomes: [],
  deferrals: null,
  excerpt: null,
  metadata,
  unsubscribe: request.unsubscribe ?? false,
  actors: [],
  imported: false,
  expunged: false,
});

/** The thread of the message that the draft answers, else the one that its references find. Null: a new one. */
async function knownThread(tx: Tx, draft: Draft): Promise<string | null> {
  const { request, inReplyTo, references, parent } = draft;
  // The thread may have been deleted since the draft was composed.
  const thread = parent?.threadId ? await findThread(tx, parent.threadId) : null;
  return thread?.id ?? threadOfAncestors(tx, { address: request.from.address, inReplyTo, references });
}

/** The message that the draft answers. A mail to others, with the same parent, passes it on. */
function answeredBy({ parent, recipients }: Draft): string | null {
  const senders = parent ? [parent.fromAddress, ...parent.recipients.reply_to].map((each) => each.toLowerCase()) : [];
  return parent && recipients.some((each) => senders.includes(each.toLowerCase())) ? parent.id : null;
}

/** Stores a sent mail, in the thread that is known or else in a new one. */
async function store(tx: Tx, entry: OutboxEntry, { request, parsed }: Draft, known: string | null, now: number) {
  const latest = { at: now, snippet: snippetOfSent(entry), people: participantsOf(parsed) };
  const change = { messages: 1, latest };
  const { accountId, address } = request.from;
  await (known === null
    ? startThread(tx, entry.threadId as string, { accountId, address, subject: request.subject, now }, change)
    : changeThread(tx, known, change));
  await insertOutbox(tx, entry);
}
