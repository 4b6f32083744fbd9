import { withTimeout } from '../../kernel/deadline.ts';
import { type Authorization, NETWORK, type Payload, type Sale, termsV1, termsV2 } from './payment-data.ts';

/** A payment as the facilitator is told of it. */
export interface Bill extends Payload {
  sale: Sale;
}

/** `unknown`: nobody answered, or not in words that settle anything. */
export type Verdict = { kind: 'valid' } | { kind: 'invalid'; reason: string } | { kind: 'unknown'; cause: string };

export type Settlement =
  | { kind: 'settled'; transaction: string | null }
  /** It will never be settled. */
  | { kind: 'refused'; reason: string }
  /** It had been executed, or cancelled, before this call. */
  | { kind: 'used' }
  | { kind: 'unknown'; cause: string };

/** The service that executes transfers on the chain (x402, facilitator interface). Neither call throws. */
export interface Facilitator {
  verify(bill: Bill): Promise<Verdict>;
  settle(bill: Bill, signal: AbortSignal): Promise<Settlement>;
}

/** Settling is answered when the transfer is confirmed, which takes a few blocks. */
const TIMEOUTS_MS = { verify: 5000, settle: 60_000 };
const REPLY_CHARS_MAX = 65_536;
const REASON_CHARS_MAX = 200;

/** Rebuilt from what was checked: nothing else a client wrote goes any further. */
function bodyOf({ version, authorization, sale }: Bill): string {
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

/** A reason as one line; it is stored and shown to the payer. */
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

/** @throws when there is no answer in time, or one that no facilitator gives */
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
/** Refusals that tell nothing of a transfer that may be under way: the chain was slow, or could not be asked. */
const OPEN = /transaction|settle|pending|timed?_?out/;
const FINAL = /^(?:invalid|insufficient|unsupported)_[a-z0-9_]+$/;

/** What a facilitator's reply to `/settle` means. Pure. */
export function settlementOf(reply: Record<string, unknown>): Settlement {
  const { success, transaction, errorReason } = reply;
  if (success === true) {
    return { kind: 'settled', transaction: typeof transaction === 'string' && transaction !== '' ? transaction : null };
  }
  if (success !== false) return { kind: 'unknown', cause: 'the reply says nothing of success' };
  const reason = reasonOf(errorReason);
  if (WAS_USED.test(reason)) return { kind: 'used' };
  return FINAL.test(reason) && !OPEN.test(reason) ? { kind: 'refused', reason } : { kind: 'unknown', cause: reason };
}

/** A client of the facilitator at `baseUrl`. Follows no redirect, and waits for nobody for ever. */
export function createFacilitator(baseUrl: string, timeouts = TIMEOUTS_MS): Facilitator {
  const at = (path: string): string => `${baseUrl.replace(/\/+$/, '')}/${path}`;
  return {
    verify: async (bill) => {
      try {
        const { status, reply } = await post(at('verify'), bodyOf(bill), timeouts.verify);
        if (reply.isValid === true && status < 300) return { kind: 'valid' };
        if (reply.isValid === false) return { kind: 'invalid', reason: reasonOf(reply.invalidReason) };
        return { kind: 'unknown', cause: `answered ${status} and says nothing of validity` };
      } catch (err) {
        return { kind: 'unknown', cause: causeOf(err) };
      }
    },
    settle: async (bill, signal) => {
      try {
        return settlementOf((await post(at('settle'), bodyOf(bill), timeouts.settle, signal)).reply);
      } catch (err) {
        return { kind: 'unknown', cause: causeOf(err) };
      }
    },
  };
}
