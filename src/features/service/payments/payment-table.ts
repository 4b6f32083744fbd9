import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** Terms, refusals and states of payments, in the words of x402 (https://x402.org) and EIP-3009. */

/** Atomic units: 0.01 USDC. */
export const PRICE_USDC = 10_000;
/** The token contract, USDC on Base, and its EIP-712 domain. */
export const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const ASSET_DOMAIN = { name: 'USD Coin', version: '2' } as const;
/** The name of the chain in x402 v1, in v2 (CAIP-2) and in EIP-712. */
export const NETWORK = 'base';
export const NETWORK_CAIP2 = 'eip155:8453';
export const CHAIN_ID = 8453;
/** How long an authorization should stay valid, so that settlement can be tried again. */
const TIMEOUT_SECONDS = 300;
const MIME_TYPE = 'application/json';

/** What is for sale. `resource` is the absolute URL of the request. */
export interface Sale {
  resource: string;
  description: string;
}

export type X402Version = 1 | 2;

/** One entry of `accepts` in x402 v1. */
export const termsV1 = ({ resource, description }: Sale, payTo: string) => ({
  scheme: 'exact',
  network: NETWORK,
  maxAmountRequired: String(PRICE_USDC),
  asset: ASSET,
  payTo,
  description,
  resource,
  mimeType: MIME_TYPE,
  maxTimeoutSeconds: TIMEOUT_SECONDS,
  extra: ASSET_DOMAIN,
});

/** One entry of `accepts` in x402 v2. */
export const termsV2 = (payTo: string) => ({
  scheme: 'exact',
  network: NETWORK_CAIP2,
  amount: String(PRICE_USDC),
  asset: ASSET,
  payTo,
  maxTimeoutSeconds: TIMEOUT_SECONDS,
  extra: ASSET_DOMAIN,
});

/** The JSON of a v2 `PAYMENT-REQUIRED` header. */
export const paymentRequiredV2 = (sale: Sale, payTo: string, error: string) => ({
  x402Version: 2,
  error,
  resource: { url: sale.resource, description: sale.description, mimeType: MIME_TYPE },
  accepts: [termsV2(payTo)],
});

/** Each `reason` of 402 `payment_invalid`, with its message. */
export const REFUSALS = {
  payments_off: 'This service does not accept payments.',
  one_header_only: 'Send X-PAYMENT or PAYMENT-SIGNATURE, not both.',
  too_large: 'The payment header is longer than 8192 characters.',
  invalid_base64: 'The payment header must be standard base64, padded.',
  invalid_json: 'The payment header must be base64 of a JSON object.',
  invalid_version: 'X-PAYMENT requires x402Version 1; PAYMENT-SIGNATURE requires x402Version 2.',
  invalid_payload:
    'The payment must have scheme, network and payload: {signature, authorization: {from, to, value, validAfter, validBefore, nonce}}; v2 has scheme and network in `accepted`.',
  wrong_scheme: 'The scheme must be "exact".',
  wrong_network: 'The network must be the one in accepts.',
  wrong_asset: 'The asset must be the one in accepts.',
  wrong_amount: 'The authorization must be for exactly the amount in accepts.',
  wrong_payee: 'The authorization must pay the payTo in accepts.',
  not_yet_valid: 'The authorization is not valid yet: validAfter is in the future.',
  expired:
    'The authorization has expired, or expires before it can be settled. Set validBefore to maxTimeoutSeconds from now.',
  invalid_signature:
    'The signature is not by authorization.from. It must be 65 bytes: EIP-712 over TransferWithAuthorization, in the domain of accepts.extra.',
  nonce_used: 'This payment was already used. Sign another one with a new nonce.',
  facilitator_refused: 'The facilitator refused the payment. See facilitator_reason.',
  earlier_payment_failed: 'An earlier payment could not be settled after its delivery. Try again tomorrow.',
} as const;

export type RefusalReason = keyof typeof REFUSALS;

export type HexText = `0x${string}`;

/** EIP-3009 TransferWithAuthorization. Hex in lower case; amount and Unix seconds as decimals of up to 256 bits. */
export interface Authorization {
  from: HexText;
  to: HexText;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: HexText;
  signature: HexText;
}

/** A signed payment, as a header carries it. */
export interface SignedPayment {
  version: X402Version;
  authorization: Authorization;
}

/**
 * `pending`: delivered, settlement under way or its outcome unknown. `settled`: on the chain. `failed`: it will not settle.
 * `verified`: delivered by a development server without a facilitator; no money moves.
 */
export type PaymentStatus = 'pending' | 'settled' | 'failed' | 'verified';

/** A payment whose purchase waits for a decision. It keeps the nonce, and no list shows it. */
export type StoredStatus = PaymentStatus | 'reserved';

export const PAYMENTS = table(
  'payments',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    status: exported.enum<StoredStatus>()('status'),
    version: exported.integer('version'),
    network: exported.text('network'),
    asset: exported.text('asset'),
    payer: exported.enum<HexText>()('payer'),
    payTo: exported.enum<HexText>()('pay_to'),
    /** Atomic units. */
    amountUsdc: exported.integer('amount_usdc'),
    validAfter: exported.text('valid_after'),
    validBefore: exported.text('valid_before'),
    nonce: column.enum<HexText>()('nonce'),
    signature: column.enum<HexText>()('signature'),
    resource: exported.text('resource'),
    description: exported.text('description'),
    /** Hash on the chain. Null before settlement. */
    transaction: exported.text('transaction_hash').orNull(),
    /** Finished attempts to settle it. */
    attempts: exported.integer('attempts'),
    error: exported.text('error').orNull(),
    /** Until then the account and the payer cannot pay; null where nothing blocks them. */
    blocksUntil: exported.integer('blocks_until').orNull(),
    createdAt: exported.integer('created_at'),
    settledAt: exported.integer('settled_at').orNull(),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete' },
);
export type StoredPayment = RecordOf<typeof PAYMENTS>;
export type Payment = StoredPayment & { status: PaymentStatus };

/** Returns the signed payment of a record. */
export const signedPaymentOf = (payment: Payment): SignedPayment => ({
  version: payment.version === 2 ? 2 : 1,
  authorization: {
    from: payment.payer,
    to: payment.payTo,
    value: String(payment.amountUsdc),
    validAfter: payment.validAfter,
    validBefore: payment.validBefore,
    nonce: payment.nonce,
    signature: payment.signature,
  },
});
