import { ApiError } from '../../kernel/errors.ts';
import type { Tx } from '../../kernel/transaction.ts';
import {
  type Authorization,
  demandV2,
  NETWORK,
  PRICE_USDC,
  REFUSALS,
  type RefusalReason,
  termsV1,
  type X402Version,
} from './payment-data.ts';

/** Atomic units as a decimal amount of USDC: 10,000 is `0.01`. */
export const PRICES = { network: NETWORK, asset: 'USDC', email: (PRICE_USDC / 1_000_000).toFixed(2) } as const;

/** The parts of a request that say what it pays with. */
export interface PayingCall {
  header(name: string): string | undefined;
  /** Milliseconds. */
  now: number;
}

/** What a request brought to pay with, and whether it would do. Made by {@link PaymentRules.offered}, opaque to others. */
export type Offer =
  | { status: 'verified'; version: X402Version; authorization: Authorization }
  | { status: 'refused'; reason: RefusalReason; facilitatorReason?: string }
  /** The facilitator did not answer: nobody can say whether it is good. */
  | { status: 'unavailable'; cause: string };

/** What is over the limit and could be paid for. */
export interface Demand {
  accountId: string;
  /** Absolute URL of what is being bought. */
  resource: string;
  description: string;
  /** Which limit is used up. */
  reason: string;
  /** Machine-actionable facts beside it. */
  facts: Record<string, unknown>;
  /** Where waiting helps as well. */
  retryAfterSeconds?: number;
  now: number;
}

export interface PaymentRules {
  /**
   * Reads and verifies what a request brings to pay with: signature, terms, the facilitator's `/verify`. Call it outside
   * the transaction: it may await the network. Null without a payment header. Never throws for a bad payment: that is
   * refused by {@link PaymentRules.collect}, and only if the limit is really reached.
   */
  offered(call: PayingCall, sale: { resource: string; description: string }): Promise<Offer | null>;
  /**
   * In the buyer's transaction, for what is over the limit: spends the offer's nonce and queues its settlement.
   * @throws ApiError 402 `payment_required` with the terms when nothing is offered, 402 `payment_invalid` with the reason
   *   when the offer will not do, 503 `payment_unavailable` when nobody could check it
   */
  collect(tx: Tx, offer: Offer | null, demand: Demand): Promise<{ paymentId: string }>;
}

export interface PaymentDeps {
  payTo: string;
}

export function createPaymentRules({ payTo }: PaymentDeps): PaymentRules {
  return {
    offered: async () => null,
    collect: async (_tx, _offer, demand) => {
      throw paymentRequired(demand, payTo);
    },
  };
}

type Quote = Omit<Demand, 'accountId' | 'now'>;

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** The parts of a 402 that both codes share: v1 terms in the body, v2 terms in the header. */
const terms = (quote: Quote, payTo: string, error: string) => ({
  facts: { x402_version: 1, x402Version: 1, accepts: [termsV1(quote, payTo)] },
  headers: {
    'payment-required': base64(demandV2(quote, payTo, error)),
    ...(quote.retryAfterSeconds === undefined ? {} : { 'retry-after': String(quote.retryAfterSeconds) }),
  },
});

/** 402 `payment_required` with the terms (spec, Errors); for code that only quotes. */
export function paymentRequired(quote: Quote, payTo: string): ApiError {
  const { facts, headers } = terms(quote, payTo, 'payment_required');
  const { reason } = quote;
  return new ApiError('payment_required', { facts: { ...facts, reason, ...quote.facts }, headers });
}

/** 402 `payment_invalid`: why this payment buys nothing, and the terms again. */
export function paymentInvalid(quote: Quote, payTo: string, reason: RefusalReason): ApiError {
  const { facts, headers } = terms(quote, payTo, reason);
  return new ApiError('payment_invalid', {
    message: REFUSALS[reason],
    facts: { ...facts, ...quote.facts, limit_reason: quote.reason, reason },
    headers,
  });
}
