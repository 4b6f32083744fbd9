/** What a payment is: terms, reasons and states, in the words of x402 (https://x402.org) and of EIP-3009. */

/** Atomic units: 0.01 USDC. */
export const PRICE_USDC = 10_000;
/** USDC on Base, and the EIP-712 domain its contract signs under. */
export const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const ASSET_DOMAIN = { name: 'USD Coin', version: '2' } as const;
/** How x402 v1 names the chain, how v2 does (CAIP-2), and how EIP-712 does. */
export const NETWORK = 'base';
export const NETWORK_CAIP2 = 'eip155:8453';
export const CHAIN_ID = 8453;
/** How long an authorization should stay good; what settlement gets to be tried again in. */
const TIMEOUT_SECONDS = 300;
const MIME_TYPE = 'application/json';

/** What is being bought. `resource` is the absolute URL of the request. */
export interface Sale {
  resource: string;
  description: string;
}

export type X402Version = 1 | 2;

/** One entry of a v1 `accepts`, in the shape v1 clients check. */
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

/** One entry of a v2 `accepts`. */
export const termsV2 = (payTo: string) => ({
  scheme: 'exact',
  network: NETWORK_CAIP2,
  amount: String(PRICE_USDC),
  asset: ASSET,
  payTo,
  maxTimeoutSeconds: TIMEOUT_SECONDS,
  extra: ASSET_DOMAIN,
});

/** What a v2 `PAYMENT-REQUIRED` header holds, before base64. */
export const demandV2 = (sale: Sale, payTo: string, error: string) => ({
  x402Version: 2,
  error,
  resource: { url: sale.resource, description: sale.description, mimeType: MIME_TYPE },
  accepts: [termsV2(payTo)],
});

/** Why a payment was refused, as `reason` of 402 `payment_invalid`, and what to do about it. */
export const REFUSALS = {
  payments_off: 'This service takes no payments.',
  one_header_only: 'Send X-PAYMENT or PAYMENT-SIGNATURE, not both.',
  too_large: 'The payment header is longer than 8192 characters.',
  invalid_base64: 'The payment header must be standard base64, padded.',
  invalid_json: 'The payment header must be base64 of a JSON object.',
  invalid_version: 'X-PAYMENT carries x402Version 1, PAYMENT-SIGNATURE carries x402Version 2.',
  invalid_payload:
    'The payment needs scheme, network and payload: {signature, authorization: {from, to, value, validAfter, validBefore, nonce}}; v2 has scheme and network in `accepted`.',
  wrong_scheme: 'The scheme must be "exact".',
  wrong_network: 'The network must be the one in accepts.',
  wrong_asset: 'The asset must be the one in accepts.',
  wrong_amount: 'The authorization must be for exactly the amount in accepts.',
  wrong_payee: 'The authorization must pay the payTo in accepts.',
  not_yet_valid: 'The authorization is not valid yet: validAfter is in the future.',
  expired: 'The authorization has expired, or will before it can be settled: set validBefore maxTimeoutSeconds ahead.',
  invalid_signature:
    'The signature is not one that authorization.from made over it: 65 bytes, EIP-712 TransferWithAuthorization in the domain of accepts.extra.',
  nonce_used: 'This payment has been spent. Sign another with a fresh nonce.',
  facilitator_refused: 'The facilitator refused the payment; facilitator_reason says why.',
  earlier_payment_failed: 'An earlier payment was delivered on and then could not be settled. Try again tomorrow.',
} as const;

export type RefusalReason = keyof typeof REFUSALS;

export type HexText = `0x${string}`;

/** EIP-3009 TransferWithAuthorization. Hex in lower case; amount and Unix seconds in decimal, of up to 256 bits. */
export interface Authorization {
  from: HexText;
  to: HexText;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: HexText;
  signature: HexText;
}

/** A payment read from a header, not yet trusted. */
export interface Payload {
  version: X402Version;
  authorization: Authorization;
}

/**
 * `pending`: delivered, settlement under way or its outcome unknown. `settled`: on the chain. `failed`: it will not be.
 * `verified`: delivered by a development server without a facilitator; no money moves.
 */
export type PaymentStatus = 'pending' | 'settled' | 'failed' | 'verified';

export interface Payment {
  id: string;
  accountId: string;
  status: PaymentStatus;
  version: X402Version;
  authorization: Authorization;
  resource: string;
  description: string;
  /** Hash on the chain; null unless settled, and where the facilitator only says that it had been settled before. */
  transaction: string | null;
  /** Attempts at settling it that came to an end. */
  attempts: number;
  error: string | null;
  createdAt: number;
  settledAt: number | null;
}
