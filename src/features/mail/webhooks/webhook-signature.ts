import { createHmac } from 'node:crypto';

/** What is signed: the id and the second of the attempt, and the body as it goes over the wire. */
export interface SignedParts {
  id: string;
  timestampSeconds: number;
  body: string;
}

const STANDARD_PREFIX = 'whsec_';

/** The bytes of padded or unpadded base64, or null for text that is something else. */
function decodeBase64(text: string): Buffer | null {
  const bare = text.replace(/=+$/, '');
  const bytes = Buffer.from(bare, 'base64');
  return bytes.length > 0 && bytes.toString('base64').replace(/=+$/, '') === bare ? bytes : null;
}

/**
 * The keys a verifier may make of a secret. Standard Webhooks libraries decode it as base64, with or without `whsec_`;
 * with a raw secret, they and all others take its bytes. The sender cannot know which, and the header holds any
 * number of signatures, so each reading gets one.
 */
function keysOf(secret: string): Buffer[] {
  const decoded = decodeBase64(secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret);
  const raw = Buffer.from(secret);
  return decoded ? [decoded, raw] : [raw];
}

/**
 * Headers that prove a delivery: the specification's own (Events, 2) and those of Standard Webhooks. Without a secret
 * there is nothing to sign with, and only the id and the time are sent.
 * @param secrets oldest first: during a rotation two of them sign. The specification's header has room for one signature,
 *   so the oldest makes it, which receivers still hold
 */
export function webhookHeaders(secrets: readonly string[], { id, timestampSeconds, body }: SignedParts) {
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds) };
  const [oldest] = secrets;
  if (oldest === undefined) return headers;
  const signed = `${id}.${timestampSeconds}.${body}`;
  headers['x-service-signature'] = `sha256=${createHmac('sha256', oldest).update(body).digest('hex')}`;
  headers['webhook-signature'] = secrets
    .flatMap(keysOf)
    .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    .join(' ');
  return headers;
}
