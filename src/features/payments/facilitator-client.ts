import { withTimeout } from '../../kernel/deadline.ts';
import { type Authorization, NETWORK, type Sale, type SignedPayment, termsV1, termsV2 } from './payment-data.ts';

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
const REPLY_CHARS_MAX = 65_536;
const REASON_CHARS_MAX = 200;

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

/** A reason as one line. It is stored, and the payer sees it. */
const reasonOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value.replace(/[\p{C}\s]+/gu, ' ').trim() : '';
  return text === '' ? 'no reason given' : text.slice(0, REASON_CHARS_MAX).toWellFormed();
};

async function readJson(response: Response): Promise<Record<string, unknown>> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > REPLY_CHARS_MAX) throw new Error('the reply is too long');
  }
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** @throws Error when there is no answer in time, or an unusable one */
async function post(url: string, body: string, timeoutMs: number, stopping?: AbortSignal) {
  const late = new Error(`no answer within ${timeoutMs} ms`);
  const limit = { ms: timeoutMs, late, signal: stopping, stopped: new Error('the service stops') };
  return withTimeout(limit, async (signal) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Signet-x402/1' };
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    if (response.status >= 500 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new Error(`answered ${response.status}`);
    }
    return { status: response.status, reply: await readJson(response) };
  });
}

const causeOf = (err: unknown): string => {
  const { message, cause } = err as Error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : reasonOf(message);
};

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
      const { status, reply } = await post(`${this.#baseUrl}/verify`, bodyOf(request), this.#timeouts.verify);
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
        (await post(`${this.#baseUrl}/settle`, bodyOf(request), this.#timeouts.settle, signal)).reply,
      );
    } catch (err) {
      return { kind: 'unknown', cause: causeOf(err) };
    }
  }
}
