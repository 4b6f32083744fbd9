import { systemNow } from './client-clock.ts';
import { type Bytes, bytesOf, concat, fromBase64, fromHex, utf8 } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { hmacHolds } from './web-crypto.ts';

/** The headers of a webhook: a `Headers`, or an object as in Node's servers. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookCheck {
  /** The secret given to `createWebhook`. */
  secret: string;
  headers: HeaderSource;
  /** The bytes as received: parsing and serializing the JSON again would change them. */
  body: string | Uint8Array;
  /** How many seconds its time may differ from the local clock. Default 300. */
  toleranceSeconds?: number;
  /**
   * `standard`: Standard Webhooks, which covers id and time. `service`: `X-Service-Signature`, which covers only
   * the body, so a recorded delivery can be replayed at any time.
   */
  scheme?: 'standard' | 'service';
  /** Milliseconds since the epoch. */
  now?: () => number;
}

const TOLERANCE_SECONDS = 300;
/** The service sends two signatures; more than these only cost time. */
const SIGNATURES_MAX = 10;

function headerOf(headers: HeaderSource, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') {
    throw new SignetCryptoError('signature_missing', `The request has no ${name} header.`);
  }
  return value;
}

const invalid = (): SignetCryptoError =>
  new SignetCryptoError('signature_invalid', 'The signature is not valid for this secret and body.');

/** The possible keys of a secret: its bytes, and its decoded form if it is base64, with or without `whsec_`. */
function keysOf(secret: string): Bytes[] {
  const keys = [utf8(secret)];
  try {
    const decoded = fromBase64(secret.replace(/^whsec_/, ''));
    if (decoded.length > 0) keys.push(decoded);
  } catch {}
  return keys;
}

async function checkStandard({ secret, headers, body, toleranceSeconds, now = systemNow }: WebhookCheck) {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, SIGNATURES_MAX);
  if (!/^\d{1,15}$/.test(timestamp)) throw new SignetCryptoError('malformed', 'webhook-timestamp is not a number.');
  const signed = concat(utf8(`${id}.${timestamp}.`), bytesOf(body));
  let holds = false;
  for (const signature of signatures) {
    const mac = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature)?.[1];
    if (mac === undefined) continue;
    for (const key of keysOf(secret)) holds = (await hmacHolds(key, fromBase64(mac), signed)) || holds;
  }
  if (!holds) throw invalid();
  const age = now() / 1000 - Number(timestamp);
  const tolerance = toleranceSeconds ?? TOLERANCE_SECONDS;
  if (age > tolerance) throw new SignetCryptoError('expired', `It was sent ${Math.round(age)} seconds ago.`);
  if (age < -tolerance) throw new SignetCryptoError('not_yet_valid', 'Its time is in the future. Check the clocks.');
}

async function checkService({ secret, headers, body }: WebhookCheck): Promise<void> {
  const mac = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-service-signature'))?.[1];
  if (mac === undefined || !(await hmacHolds(utf8(secret), fromHex(mac), bytesOf(body)))) throw invalid();
}

/**
 * Verifies that a webhook is from the service, and returns its content. `event.id` is the same in every attempt: skip
 * the events you have handled.
 * @throws SignetCryptoError `signature_missing`, `signature_invalid`, `expired`, `not_yet_valid`, `malformed`
 */
export async function verifyWebhook<Event = Record<string, unknown>>(check: WebhookCheck): Promise<Event> {
  await (check.scheme === 'service' ? checkService(check) : checkStandard(check));
  try {
    return JSON.parse(typeof check.body === 'string' ? check.body : new TextDecoder().decode(check.body)) as Event;
  } catch (cause) {
    throw new SignetCryptoError('malformed', 'The body is not JSON.', { cause });
  }
}
