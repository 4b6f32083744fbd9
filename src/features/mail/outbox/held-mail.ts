import { ApiError } from '../../../api/errors.ts';
import type { Tx } from '../../../api/transaction.ts';
import { emptyMail, type ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import { type Address, lockAddresses } from '../../account/addresses/address.ts';
import { returnEmailQuota } from '../../service/limits/email-quota.ts';
import type { Demand } from '../../service/payments/payment.ts';
import type { SignedPayment } from '../../service/payments/payment-table.ts';
import type { Counter } from '../mail-policy/mail-policy-table.ts';
import type { HoldReason } from '../mail-policy/send-policy.ts';
import {
  listAttachments,
  readAttachment,
  readBody,
  readRaw,
  releaseContent,
} from '../mailboxes/content/mail-content.ts';
import { type DeliverableMail, keepContent } from '../mailboxes/messages/mail-delivery.ts';
import { hasSuspicious } from '../mailboxes/messages/message.ts';
import { lockOutbox, type OutboxEntry, updateOutbox } from '../mailboxes/messages/sent.ts';
import type { Carrier } from '../reviews/review.ts';
import type { Review } from '../reviews/review-table.ts';
import { recordOutcomes } from './delivery-status.ts';
import { type SortedRecipients, sortRecipients } from './internal-delivery.ts';
import type { Draft } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { excerptOf, handOver, INTERNAL_AUTH } from './send-stage.ts';

/** A payment that is settled when the mail is released. */
export interface PromisedPayment {
  payment: SignedPayment;
  demand: Omit<Demand, 'fields' | 'now'>;
  /** Keeps the nonce of the payment until the decision. */
  reservedId: string;
}

/** A mail that is held, with what was counted for it. */
export interface Holding {
  draft: Draft;
  /** The entry as it would leave: pending. */
  entry: OutboxEntry;
  reason: HoldReason;
  /** The account whose quota counted it; null when a payment comes instead. */
  countedFor: string | null;
  /** Where policies counted the recipients. */
  counted: Counter[];
  payment: PromisedPayment | null;
}

/** A mail that an operator let go. `own`: the address that it is from. */
interface Releasing {
  entry: OutboxEntry;
  sorted: SortedRecipients;
  own: Address | undefined;
  review: Review;
}

const NOTHING = new Uint8Array();
const WHY_REFUSED = 'recipient_not_allowed: the mail policy of the account does not allow';

/** Keeps mail back for a review, and sends or ends it when an operator has decided. */
export class HeldMail implements Carrier {
  readonly #deps: OutboxDeps;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a mail for review. Its content is readable until the decision, also for a sender who encrypts mail: an operator
   * has to read it. @returns the entry to store
   */
  async hold(tx: Tx, { draft, entry, reason, countedFor, counted, payment }: Holding, now: number) {
    const { parsed, raw, request, secrets, written } = draft;
    const { accountId, address } = request.from;
    const sorted = await sortRecipients(tx, draft.recipients, this.#deps.mailDomain);
    const locked = await lockAddresses(tx, [address, ...sorted.internal]);
    const isEncrypted = [...locked.values()].some(({ publicKey }) => publicKey !== null);
    const mail = {
      envelopeFrom: address,
      raw,
      sizeBytes: raw.length,
      parsed,
      auth: INTERNAL_AUTH,
      ...(written && { written }),
    };
    const contentId = await keepContent(tx, mail, 1, now);
    const held: OutboxEntry = {
      ...entry,
      contentId,
      externalRecipients: sorted.external,
      provider: sorted.external.length > 0 ? this.#deps.transport.provider : 'internal',
      excerpt: isEncrypted ? null : excerptOf(parsed.text),
    };
    const named = (list: readonly { address: string }[]): string[] => list.map((one) => one.address);
    const review = await this.#deps.reviews.open(
      tx,
      {
        accountId,
        address,
        outboxId: entry.id,
        recipients: draft.recipients,
        subject: request.subject,
        reason,
        secrets,
        payment: payment && JSON.stringify(payment),
        held: {
          to: named(parsed.to),
          cc: named(parsed.cc),
          replyTo: named(parsed.replyTo),
          countedFor,
          counted,
          reservedPayment: payment?.reservedId ?? null,
          fromName: parsed.from?.name ?? '',
          inReplyTo: draft.inReplyTo,
          references: draft.references,
          date: parsed.date,
        },
      },
      now,
    );
    return { entry: held, review: { id: review.id, reason } };
  }

  /** Sends a mail that an operator let go. @returns null, or why it failed instead */
  async release(tx: Tx, review: Review, payment: string | null, now: number): Promise<string | null> {
    const sorted = await sortRecipients(tx, review.recipients, this.#deps.mailDomain);
    // With the recipients inside, because all of them are locked in one order; and before the entry, as mail programs do.
    const locked = await lockAddresses(tx, [review.address, ...sorted.internal]);
    const entry = await lockOutbox(tx, review.outboxId);
    if (entry?.status !== 'pending' || entry.contentId === null) throw new ApiError('not_found');
    const own = locked.get(entry.address);
    const error =
      (await this.#refusalOf(tx, { entry, sorted, own, review }, now)) ??
      (await this.#collect(tx, review, payment, now));
    if (error !== null) {
      await this.refuse(tx, review, error, now);
      return error;
    }
    const isSealed = sorted.internal.some((recipient) => Boolean(locked.get(recipient)?.publicKey));
    const mail = await heldMailOf(tx, entry, review, isSealed);
    const left = await handOver(tx, this.#deps, mail, entry, sorted, now);
    await updateOutbox(tx, left.entry);
    await releaseContent(tx, entry.contentId);
    await left.finish(tx);
    return left.entry.status === 'failed' ? left.entry.error : null;
  }

  /** Ends a mail that is not sent, and takes back what was counted for it. */
  async refuse(tx: Tx, review: Review, error: string, now: number): Promise<void> {
    const { appendEvents, sendPolicy } = this.#deps;
    const { accountId, recipients, createdAt, held, outboxId } = review;
    const outcomes = recipients.map((recipient) => ({ address: recipient, providerId: null, error }));
    await recordOutcomes(tx, appendEvents, { outboxId, outcomes, source: 'attempt', isDropped: true, now });
    await this.#free(tx, review);
    // In the order in which a send counts, so that neither waits for the other in a circle.
    await sendPolicy.giveBack(tx, accountId, held.counted, recipients.length, createdAt);
    if (held.countedFor !== null) await returnEmailQuota(tx, held.countedFor, createdAt);
  }

  /** Why a mail that was let go may not leave any more: all that a send checks may have changed while it waited. */
  async #refusalOf(tx: Tx, { entry, sorted, own, review }: Releasing, now: number): Promise<string | null> {
    const { accountId, recipients } = entry;
    const { addresses, sendPolicy, suppressions } = this.#deps;
    const account = own?.accountId === accountId ? await addresses.receiver(tx, own) : null;
    if (account === null) return 'sender_not_owned: the account cannot send from this address any more.';
    const from = { ...entry, platformId: account.parentId ?? accountId };
    try {
      await sendPolicy.requireOthers(tx, {
        from,
        recipients,
        secrets: review.secrets,
        writtenAt: review.createdAt,
        answersSuspicious: async () => entry.threadId !== null && hasSuspicious(tx, entry.threadId),
      });
      const refused = await sendPolicy.refused(tx, from, recipients, async () => true);
      if (refused.length > 0) return `${WHY_REFUSED} ${refused.map(({ recipient }) => recipient).join(', ')}.`;
      await suppressions.requireMaySend(tx, accountId, recipients, sorted.external.length, now);
      return null;
    } catch (err) {
      if (!(err instanceof ApiError) || err.status >= 500) throw err;
      return `${err.code}: ${err.message}`;
    }
  }

  /** A mail of an earlier version reserved nothing. */
  async #free(tx: Tx, { held: { reservedPayment = null } }: Review): Promise<void> {
    if (reservedPayment !== null) await this.#deps.payments.freeNonce(tx, reservedPayment);
  }

  /** Takes the payment that came with the mail. @returns why it cannot be taken any more */
  async #collect(tx: Tx, review: Review, text: string | null, now: number): Promise<string | null> {
    if (text === null) return null;
    await this.#free(tx, review);
    const { payment, demand } = JSON.parse(text) as PromisedPayment;
    if (Number(payment.authorization.validBefore) * 1000 <= now)
      return 'payment_expired: the payment that came with this mail ended before it was released.';
    try {
      await this.#deps.payments.collect(tx, { status: 'verified', payment }, { ...demand, fields: {}, now });
      return null;
    } catch (err) {
      if (!(err instanceof ApiError) || err.code !== 'payment_invalid') throw err;
      return `payment_invalid: ${err.message}`;
    }
  }
}

/** The mail as it was made. `isSealed`: a recipient gets it sealed, which takes its bytes. */
async function heldMailOf(
  tx: Tx,
  entry: OutboxEntry,
  { held, address }: Review,
  isSealed: boolean,
): Promise<DeliverableMail> {
  const contentId = entry.contentId as string;
  const body = await readBody(tx, contentId);
  const raw = isSealed ? await readRaw(tx, contentId) : NOTHING;
  if (!raw || !body) throw new ApiError('not_found');
  const attachments: ParsedMail['attachments'] = [];
  for (const { n, filename, contentType, sizeBytes: size, contentId: cid } of await listAttachments(tx, contentId)) {
    const file = isSealed ? await readAttachment(tx, contentId, n) : null;
    const content = new Uint8Array(file?.content ?? []);
    attachments.push({
      filename: filename ?? '',
      contentType,
      contentId: cid,
      content,
      size,
      disposition: 'attachment',
    });
  }
  const named = (list: readonly string[]) => list.map((one) => ({ address: one, name: '' }));
  const parsed: ParsedMail = {
    ...emptyMail(),
    parsed: true,
    rfcMessageId: entry.rfcMessageId,
    from: { address, name: held.fromName },
    to: named(held.to),
    cc: named(held.cc),
    replyTo: named(held.replyTo),
    subject: entry.subject,
    date: held.date,
    inReplyTo: held.inReplyTo,
    references: held.references,
    text: body.text ?? '',
    // It is not stored whether that was made of the HTML, which may hide words.
    hasPlainText: body.html === null,
    html: body.html,
    visibleText: body.visibleText,
    findings: body.findings,
    attachments,
  };
  return { envelopeFrom: address, raw, sizeBytes: body.sizeBytes, parsed, auth: INTERNAL_AUTH, contentId };
}
