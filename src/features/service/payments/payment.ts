import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Database, DryRun, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { usdc } from '../../../base/usdc.ts';
import type { Chain } from './chain-client.ts';
import type { Facilitator } from './facilitator-client.ts';
import { countPending, freeNonce, insertPayment, isBlocked, isSpent, listPayments, TOKEN } from './payment-store.ts';
import {
  NETWORK,
  type Payment,
  PRICE_USDC,
  paymentRequiredV2,
  REFUSALS,
  type RefusalReason,
  type Sale,
  type SignedPayment,
  termsV1,
} from './payment-table.ts';
import { isSignedByPayer, Refusal, readPayment } from './signed-payment.ts';

/** The parts of a request that carry a payment. */
export interface PayingCall {
  header(name: string): string | undefined;
  /** Milliseconds. */
  now: number;
  dryRun: DryRun | null;
}

/** The payment of a request, and whether it is good. {@link PaymentRules.offered} makes it; others only pass it on. */
export type Offer =
  | { status: 'verified'; payment: SignedPayment }
  | { status: 'refused'; reason: RefusalReason; facilitatorReason?: string }
  /** The facilitator did not answer, so the payment cannot be checked. */
  | { status: 'unavailable'; cause: string };

/** The payment of a request, null for none, and the absolute URL that it pays for. */
export interface PaymentOffer {
  resource: string;
  offer: Offer | null;
}

/** What is over the limit and can be bought. */
export interface Demand extends Sale {
  accountId: string;
  /** Which limit is used up. */
  reason: string;
  /** Further fields of the 402. */
  fields: Record<string, unknown>;
  /** When waiting helps too: how long. */
  retryAfterSeconds?: number;
  /** What helps besides paying, for the message. `wait` by default. */
  instead?: string;
  now: number;
}

/** `facilitator`: payments are settled on the chain. `off`: verified only, for development. `refused`: none is accepted. */
export type Acceptance = 'facilitator' | 'off' | 'refused';

/** What payments need. */
export interface PaymentDeps {
  database: Database;
  payTo: string;
  acceptance: Acceptance;
  /** Set where `acceptance` is `facilitator`. Null when none is configured: pending payments wait for one. */
  facilitator: Facilitator | null;
  /** Says which event used a nonce. */
  chain: Chain;
  enqueueJob: EnqueueJob;
  appendEvent: AppendEvent<Tx>;
}

/**
 * Pending payments of one wallet. Each was checked against the whole balance of the wallet, so together they may be more
 * than it holds.
 */
const PENDING_MAX = 20;
const RETRY_AFTER = { 'retry-after': '5' };

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Takes x402 payments for what is over a limit. */
export class PaymentRules {
  readonly #deps: PaymentDeps;
  readonly acceptance: Acceptance;
  /** `email` is a decimal amount: 10,000 atomic units are `0.01`. */
  readonly prices = { network: NETWORK, asset: 'USDC', email: usdc(PRICE_USDC) } as const;

  constructor(deps: PaymentDeps) {
    this.#deps = deps;
    this.acceptance = deps.acceptance;
  }

  /**
   * Reads and verifies the payment of a request: signature, terms, the facilitator's `/verify`. Call it outside the
   * transaction: it may wait for the network. A dry run does not ask the facilitator. A bad payment is no error here: {@link PaymentRules.collect} refuses it when
   * the limit is reached.
   * @returns null without a payment header
   */
  async offered(call: PayingCall, sale: Sale): Promise<Offer | null> {
    try {
      return await this.#verify(call, sale);
    } catch (err) {
      if (!(err instanceof Refusal)) throw err;
      return { status: 'refused', reason: err.reason };
    }
  }

  /**
   * Spends the nonce of the payment and queues its settlement, in the buyer's transaction. The endpoint must be `payable`,
   * and the reply must name the payment as `payment_id`.
   * @throws ApiError 402 `payment_required` with the terms when there is no payment, 402 `payment_invalid` with the reason
   *   for a bad one, 503 `payment_unavailable` when it cannot be checked
   */
  async collect(tx: Tx, offer: Offer | null, demand: Demand): Promise<{ paymentId: string }> {
    const payment = this.#paymentFor(demand, this.#goodPayment(tx, offer, demand));
    const { id: paymentId, accountId, payer, status } = payment;
    const { now } = demand;
    if (await isBlocked(tx, { accountId, payer, now })) throw this.#invalid(demand, 'earlier_payment_failed');
    if ((await countPending(tx, payer, PENDING_MAX)) >= PENDING_MAX) {
      const message = `This wallet has ${PENDING_MAX} payments that are not settled yet. Repeat the request with the same payment.`;
      throw new ApiError('payment_unavailable', { headers: RETRY_AFTER, message });
    }
    if (!(await insertPayment(tx, payment))) throw this.#invalid(demand, 'nonce_used');
    if (status === 'pending')
      await this.#deps.enqueueJob(tx, { kind: 'payment.settle', payload: { paymentId }, runAt: now });
    return { paymentId };
  }

  /**
   * Keeps the nonce of a payment for a purchase that is decided later, so that it buys nothing else meanwhile. Then
   * {@link freeNonce} comes first, and for a purchase that goes on {@link collect} in the same transaction.
   * @throws ApiError as {@link collect}
   */
  async reserve(tx: Tx, offer: Offer | null, demand: Demand): Promise<{ payment: SignedPayment; paymentId: string }> {
    const payment = this.#goodPayment(tx, offer, demand);
    const reserved = { ...this.#paymentFor(demand, payment), status: 'reserved' as const };
    if (!(await insertPayment(tx, reserved))) throw this.#invalid(demand, 'nonce_used');
    return { payment, paymentId: reserved.id };
  }

  /** Ends a reservation. The payment may buy something again. */
  async freeNonce(tx: Tx, paymentId: string): Promise<void> {
    await freeNonce(tx, paymentId);
  }

  /** Newest first. @throws ApiError `invalid_cursor` */
  list(accountId: string, page: { cursor: string | undefined; limit: number }): Promise<Page<Payment>> {
    return newestFirst(
      'pay',
      page,
      (before, many) => listPayments(this.#deps.database, accountId, before, many),
      ({ id }) => id,
    );
  }

  /** @throws Refusal with the reason */
  async #verify(call: PayingCall, sale: Sale): Promise<Offer | null> {
    const { database, payTo, facilitator } = this.#deps;
    const payment = readPayment(call, payTo);
    if (!payment) return null;
    if (this.acceptance === 'refused') throw new Refusal('payments_off');
    const { authorization } = payment;
    if (!(await isSignedByPayer(authorization))) throw new Refusal('invalid_signature');
    // The facilitator would refuse it too, later and in its own words.
    const { from: payer, nonce } = authorization;
    if (await isSpent(database, { payer, nonce })) throw new Refusal('nonce_used');
    const result = (call.dryRun ? undefined : await facilitator?.verify({ ...payment, sale })) ?? { kind: 'valid' };
    if (result.kind === 'unknown') return { status: 'unavailable', cause: result.cause };
    if (result.kind === 'invalid')
      return { status: 'refused', reason: 'facilitator_refused', facilitatorReason: result.reason };
    return { status: 'verified', payment };
  }

  /** @throws ApiError for what is no payment, or no good one */
  #goodPayment(tx: Tx, offer: Offer | null, demand: Demand): SignedPayment {
    if (!offer) throw this.#required(demand);
    if (offer.status === 'refused') throw this.#invalid(demand, offer.reason, offer.facilitatorReason);
    if (offer.status === 'unavailable')
      throw new ApiError('payment_unavailable', { headers: RETRY_AFTER, cause: offer.cause });
    if (this.#deps.facilitator) tx.dryRun?.dependsOn('facilitator');
    return offer.payment;
  }

  #paymentFor({ accountId, resource, description, now }: Demand, { version, authorization }: SignedPayment): Payment {
    return {
      ...TOKEN,
      id: newId('pay', now),
      accountId,
      status: this.acceptance === 'facilitator' ? 'pending' : 'verified',
      version,
      payer: authorization.from,
      payTo: authorization.to,
      amountUsdc: Number(authorization.value),
      validAfter: authorization.validAfter,
      validBefore: authorization.validBefore,
      nonce: authorization.nonce,
      signature: authorization.signature,
      resource,
      description,
      transaction: null,
      attempts: 0,
      error: null,
      blocksUntil: null,
      createdAt: now,
      settledAt: null,
    };
  }

  /** What both codes of a 402 share: the terms, v1 in the body and v2 in the header. */
  #terms(demand: Demand, error: string) {
    const { payTo } = this.#deps;
    const { retryAfterSeconds: wait } = demand;
    return {
      fields: { x402_version: 1, x402Version: 1, accepts: [termsV1(demand, payTo)], ...demand.fields },
      headers: {
        ...(this.acceptance === 'refused'
          ? {}
          : { 'payment-required': base64(paymentRequiredV2(demand, payTo, error)) }),
        ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
      },
    };
  }

  #required(demand: Demand): ApiError {
    const { fields, headers } = this.#terms(demand, 'payment_required');
    const pay = 'Pay one of `accepts` and repeat the request with X-PAYMENT';
    const advice = this.acceptance === 'refused' ? REFUSALS.payments_off : `${pay}, or ${demand.instead ?? 'wait'}.`;
    const message = `The limit is used up. ${advice}`;
    return new ApiError('payment_required', { message, fields: { ...fields, reason: demand.reason }, headers });
  }

  #invalid(demand: Demand, reason: RefusalReason, facilitatorReason?: string): ApiError {
    const { fields, headers } = this.#terms(demand, reason);
    const detail = facilitatorReason === undefined ? {} : { facilitator_reason: facilitatorReason };
    return new ApiError('payment_invalid', {
      message: REFUSALS[reason],
      fields: { ...fields, reason, ...detail, limit_reason: demand.reason },
      headers,
    });
  }
}
