import { ApiError } from '../../kernel/errors.ts';

/** USDC on Base (decisions.md, Money). */
const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** Atomic units: 0.01 USDC. */
export const PRICE_USDC = 10_000;
export const PAYMENT_NETWORK = 'base';

/** What a 402 asks for, in the shape x402 v1 clients check. */
function paymentRequirements(resource: string, description: string, payTo: string) {
  return {
    scheme: 'exact',
    network: PAYMENT_NETWORK,
    maxAmountRequired: String(PRICE_USDC),
    asset: USDC_ON_BASE,
    payTo,
    description,
    resource,
    mimeType: 'application/json',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  };
}

export interface PaymentDemand {
  /** Absolute URL of what is being bought. */
  resource: string;
  description: string;
  payTo: string;
  reason: string;
  /** Machine-actionable facts beside it. */
  facts: Record<string, unknown>;
  retryAfterSeconds: number;
}

/** 402 `payment_required` with the terms (spec, Errors). */
export function paymentRequired(demand: PaymentDemand): ApiError {
  return new ApiError('payment_required', {
    facts: {
      x402_version: 1,
      x402Version: 1,
      reason: demand.reason,
      accepts: [paymentRequirements(demand.resource, demand.description, demand.payTo)],
      ...demand.facts,
    },
    headers: { 'retry-after': String(demand.retryAfterSeconds) },
  });
}
