import { createHmac } from 'node:crypto';
import type { SignetEvent } from '../../../client/generated/operations.ts';
import { pause } from '../../../client/timeout.ts';

const TIMEOUT_MS = 15_000;
/** Pauses before the second and later attempts: a program that is restarted is back by then. */
const RETRY_MS = [500, 2000, 5000] as const;

/** What became of one event. */
export interface Forwarded {
  /** The status of the last reply; null: there was none. */
  status: number | null;
  isAccepted: boolean;
  attempts: number;
}

export interface Receiver {
  url: string;
  /** `whsec_` and base64. */
  secret: string;
  /** The time of an attempt, in milliseconds. */
  now: () => number;
  signal: AbortSignal;
}

/** The body of a webhook's delivery, without what only the service can add of a received mail. */
function bodyOf({ id, type, created_at, data }: SignetEvent): string {
  const address = 'address' in data ? { address: data.address } : {};
  return JSON.stringify({ id, type, event: type, created_at, ...address, data });
}

/** Signs as the service signs the deliveries of a webhook: Standard Webhooks, and the header of the specification. */
function headersOf({ secret, now }: Receiver, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now() / 1000));
  const sign = (key: Buffer | string): string =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  // Verifiers decode a secret, or take its characters.
  const keys = [Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), secret];
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
}

async function post(receiver: Receiver, event: SignetEvent, body: string): Promise<number | null> {
  const { url, signal } = receiver;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const headers = headersOf(receiver, event.id, body);
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await reply.body?.cancel();
    return reply.status;
  } catch {
    return null;
  }
}

const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Posts an event to a program on this machine, some times if it does not accept it. */
export async function forward(receiver: Receiver, event: SignetEvent): Promise<Forwarded> {
  const body = bodyOf(event);
  for (let attempts = 1; ; attempts++) {
    const status = await post(receiver, event, body);
    const delay = RETRY_MS[attempts - 1];
    if (isAccepted(status) || delay === undefined || receiver.signal.aborted)
      return { status, isAccepted: isAccepted(status), attempts };
    // An abort ends the pause, and the next attempt with it.
    await pause(delay, receiver.signal).catch(() => {});
  }
}
