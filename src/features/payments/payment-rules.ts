import { ApiError } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { usdc } from '../../kernel/usdc.ts';
import type { Facilitator } from './facilitator-client.ts';
import { isSignedByPayer, Refusal, readPayment } from './offer-rules.ts';
import {
  demandV2,
  NETWORK,
  type Payload,
  type Payment,
  PRICE_USDC,
  REFUSALS,
  type RefusalReason,
  type Sale,
  termsV1,
} from './payment-data.ts';
import { blockedUntil, countWaiting, insertPayment, isSpent, listPayments } from './payment-store.ts';

/** The parts of a request that say what it pays with. */
export interface PayingCall {
  header(name: string): string | undefined;
  /** Milliseconds. */
  now: number;
}

/** What a request brought to pay with, and whether it would do. Made by {@link PaymentRules.offered}, opaque to others. */
export type Offer =
  | { status: 'verified'; payload: Payload }
  | { status: 'refused'; reason: RefusalReason; facilitatorReason?: string }
  /** The facilitator did not answer: nobody can say whether it is good. */
  | { status: 'unavailable'; cause: string };

/** What is over the limit and could be paid for. */
export interface Demand extends Sale {
  accountId: string;
  /** Which limit is used up. */
  reason: string;
  /** Machine-actionable facts beside it. */
  facts: Record<string, unknown>;
  /** Where waiting helps as well. */
  retryAfterSeconds?: number;
  /** What helps besides paying, in words: to wait, unless told. */
  instead?: string;
  now: number;
}

/**
 * How payments end. `facilitator`: settled on the chain. `off`: verified, and no money moves, which is for development.
 * `refused`: nothing is taken.
 */
export type Acceptance = 'facilitator' | 'off' | 'refused';

export interface PaymentRules {
  readonly acceptance: Acceptance;
  readonly prices: { network: string; asset: string; email: string };
  /**
   * Reads and verifies what a request brings to pay with: signature, terms, the facilitator's `/verify`. Call it outside
   * the transaction: it may await the network. Null without a payment header. Never throws for a bad payment: that is
   * refused by {@link PaymentRules.collect}, and only if the limit is really reached.
   */
  offered(call: PayingCall, sale: Sale): Promise<Offer | null>;
  /**
   * In the buyer's transaction, for what is over the limit: spends the offer's nonce and queues its settlement. The reply
   * must then name the payment as `payment_id`, and the endpoint be `payable`.
   * @throws ApiError 402 `payment_required` with the terms when nothing is offered, 402 `payment_invalid` with the reason
   *   when the offer will not do, 503 `payment_unavailable` when nobody can check it
   */
  collect(tx: Tx, offer: Offer | null, demand: Demand): Promise<{ paymentId: string }>;
  /** Newest first. @throws ApiError `invalid_cursor` */
  list(
    accountId: string,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ payments: Payment[]; nextCursor: string | null }>;
}

export interface PaymentDeps {
  database: Reader;
  payTo: string;
  acceptance: Acceptance;
  /** Set where `acceptance` is `facilitator`. */
  facilitator: Facilitator | null;
  enqueueJob: EnqueueJob;
}

/** Atomic units as a decimal amount of USDC: 10,000 is `0.01`. */
const PRICES = { network: NETWORK, asset: 'USDC', email: usdc(PRICE_USDC) } as const;

/** Each was checked against the whole balance of the wallet; more of them at once may be more than it holds. */
const WAITING_MAX = 20;
/** Sorts behind every id in any collation of a database; punctuation would not. */
const BEYOND_ALL = `pay_${'z'.repeat(26)}`;

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

export function createPaymentRules(deps: PaymentDeps): PaymentRules {
  const { database, payTo, acceptance, facilitator, enqueueJob } = deps;

  /** What both codes of a 402 share: the terms, v1 in the body and v2 in the header. */
  function quote(demand: Demand, error: string) {
    const { retryAfterSeconds: wait } = demand;
    return {
      facts: { x402_version: 1, x402Version: 1, accepts: [termsV1(demand, payTo)], ...demand.facts },
      headers: {
        ...(acceptance === 'refused' ? {} : { 'payment-required': base64(demandV2(demand, payTo, error)) }),
        ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
      },
    };
  }

  function required(demand: Demand): ApiError {
    const { facts, headers } = quote(demand, 'payment_required');
    const pay = 'Pay one of `accepts` and repeat the request with X-PAYMENT';
    const advice = acceptance === 'refused' ? REFUSALS.payments_off : `${pay}, or ${demand.instead ?? 'wait'}.`;
    const message = `The limit is used up. ${advice}`;
    return new ApiError('payment_required', { message, facts: { ...facts, reason: demand.reason }, headers });
  }

  function invalid(demand: Demand, reason: RefusalReason, facilitatorReason?: string): ApiError {
    const { facts, headers } = quote(demand, reason);
    const said = facilitatorReason === undefined ? {} : { facilitator_reason: facilitatorReason };
    return new ApiError('payment_invalid', {
      message: REFUSALS[reason],
      facts: { ...facts, reason, ...said, limit_reason: demand.reason },
      headers,
    });
  }

  async function examine(call: PayingCall, sale: Sale): Promise<Offer | null> {
    const payload = readPayment(call, payTo);
    if (!payload) return null;
    if (acceptance === 'refused') throw new Refusal('payments_off');
    const { authorization } = payload;
    if (!(await isSignedByPayer(authorization))) throw new Refusal('invalid_signature');
    // The facilitator would say so too, in its own words and later.
    if (await isSpent(database, authorization.from, authorization.nonce)) throw new Refusal('nonce_used');
    const verdict = (await facilitator?.verify({ ...payload, sale })) ?? { kind: 'valid' };
    if (verdict.kind === 'unknown') return { status: 'unavailable', cause: verdict.cause };
    if (verdict.kind === 'invalid')
      return { status: 'refused', reason: 'facilitator_refused', facilitatorReason: verdict.reason };
    return { status: 'verified', payload };
  }

  async function collect(tx: Tx, offer: Offer | null, demand: Demand): Promise<{ paymentId: string }> {
    if (!offer) throw required(demand);
    if (offer.status === 'refused') throw invalid(demand, offer.reason, offer.facilitatorReason);
    const later = { headers: { 'retry-after': '5' } };
    if (offer.status === 'unavailable') throw new ApiError('payment_unavailable', { ...later, cause: offer.cause });
    const { version, authorization } = offer.payload;
    const { accountId, resource, description, now } = demand;
    const payer = authorization.from;
    if ((await blockedUntil(tx, { accountId, payer, now })) !== null) throw invalid(demand, 'earlier_payment_failed');
    if ((await countWaiting(tx, payer, WAITING_MAX)) >= WAITING_MAX) {
      const message = `${WAITING_MAX} payments of this wallet wait to be settled. Repeat the request with the same payment.`;
      throw new ApiError('payment_unavailable', { ...later, message });
    }
    const payment: Payment = {
      id: newId('pay', now),
      accountId,
      status: acceptance === 'facilitator' ? 'pending' : 'verified',
      version,
      authorization,
      resource,
      description,
      transaction: null,
      attempts: 0,
      error: null,
      createdAt: now,
      settledAt: null,
    };
    if (!(await insertPayment(tx, payment))) throw invalid(demand, 'nonce_used');
    const { id: paymentId, status } = payment;
    if (status === 'pending') await enqueueJob(tx, { kind: 'payment.settle', payload: { paymentId }, runAt: now });
    return { paymentId };
  }

  return {
    acceptance,
    prices: PRICES,
    collect,
    offered: async (call, sale) => {
      try {
        return await examine(call, sale);
      } catch (err) {
        if (!(err instanceof Refusal)) throw err;
        return { status: 'refused', reason: err.reason };
      }
    },
    list: async (accountId, cursor, limit) => {
      const before = cursor === undefined ? BEYOND_ALL : decodeCursor(cursor, ['string'])?.[0];
      if (!isId('pay', String(before))) throw new ApiError('invalid_cursor');
      const rows = await listPayments(database, accountId, String(before), limit + 1);
      const page = pageOf(rows, limit, (payment) => [payment.id]);
      return { payments: page.rows, nextCursor: page.nextCursor };
    },
  };
}
