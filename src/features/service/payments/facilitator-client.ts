import { causeOf, postJson, reasonOf } from '../../../base/json-post.ts';
import { type Authorization, NETWORK, type Sale, type SignedPayment, termsV1, termsV2 } from './payment-table.ts';

/** A payment and what it pays for, as a facilitator gets it. */
export interface FacilitatorRequest extends SignedPayment {
  sale: Sale;
}

/** What `/verify` answered. `unknown`: no answer, or one without a result. */
export type Verification = { kind: 'valid' } | { kind: 'invalid'; reason: string } | { kind: 'unknown'; cause: string };

/** What `/settle` answered. */
export type Settlement =
  | { kind: 'settled'; transaction: string | null }
  /** It will never be settled. */
  | { kind: 'refused'; reason: string }
  /** It was executed or cancelled before this call. */
  | { kind: 'used' }
  | { kind: 'unknown'; cause: string };

/** The service that executes transfers on the chain (x402, facilitator interface). Its calls never throw. */
export interface Facilitator {
  verify(request: FacilitatorRequest): Promise<Verification>;
  settle(request: FacilitatorRequest, signal: AbortSignal): Promise<Settlement>;
}

/** A facilitator answers `/settle` when the transfer is confirmed, which takes a few blocks. */
const TIMEOUTS_MS = { verify: 5000, settle: 60_000 };

/** Builds the body from the checked fields. Nothing else that a client sent reaches the facilitator. */
function bodyOf({ version, authorization, sale }: FacilitatorRequest): string {
  const { signature, ...transfer }: Authorization = authorization;
  const payload = { signature, authorization: transfer };
  const { to } = authorization;
  if (version === 1) {
    const paymentPayload = { x402Version: 1, scheme: 'exact', network: NETWORK, payload };
    return JSON.stringify({ x402Version: 1, paymentPayload, paymentRequirements: termsV1(sale, to) });
  }
  const terms = termsV2(to);
  const resource = { url: sale.resource, description: sale.description, mimeType: 'application/json' };
  const paymentPayload = { x402Version: 2, resource, accepted: terms, payload };
  return JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: terms });
}

const WAS_USED = /nonce_already_used|authorization is used/i;
/** Refusals that leave the outcome open: the chain was slow or not reachable, and a transfer may be under way. */
const OPEN = /transaction|settle|pending|timed?_?out/;
const FINAL = /^(?:invalid|insufficient|unsupported)_[a-z0-9_]+$/;

/** Interprets a facilitator's reply to `/settle`. Pure. */
export function settlementOf(reply: Record<string, unknown>): Settlement {
  const { success, transaction, errorReason } = reply;
  if (success === true) {
    return { kind: 'settled', transaction: typeof transaction === 'string' && transaction !== '' ? transaction : null };
  }
  if (success !== false) return { kind: 'unknown', cause: 'the reply has no success' };
  const reason = reasonOf(errorReason);
  if (WAS_USED.test(reason)) return { kind: 'used' };
  return FINAL.test(reason) && !OPEN.test(reason) ? { kind: 'refused', reason } : { kind: 'unknown', cause: reason };
}

/** A client of the facilitator at `baseUrl`. It follows no redirect. */
export class FacilitatorClient implements Facilitator {
  readonly #baseUrl: string;
  readonly #timeouts: typeof TIMEOUTS_MS;

  constructor(baseUrl: string, timeouts = TIMEOUTS_MS) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#timeouts = timeouts;
  }

  async verify(request: FacilitatorRequest): Promise<Verification> {
    try {
      const { status, reply } = await postJson(`${this.#baseUrl}/verify`, bodyOf(request), this.#timeouts.verify);
      if (reply.isValid === true && status < 300) return { kind: 'valid' };
      if (reply.isValid === false) return { kind: 'invalid', reason: reasonOf(reply.invalidReason) };
      return { kind: 'unknown', cause: `answered ${status} without isValid` };
    } catch (err) {
      return { kind: 'unknown', cause: causeOf(err) };
    }
  }

  async settle(request: FacilitatorRequest, signal: AbortSignal): Promise<Settlement> {
    try {
      return settlementOf(
        (await postJson(`${this.#baseUrl}/settle`, bodyOf(request), this.#timeouts.settle, signal)).reply,
      );
    } catch (err) {
      return { kind: 'unknown', cause: causeOf(err) };
    }
  }
}
