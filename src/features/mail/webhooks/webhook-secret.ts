import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../api/transaction.ts';
import type { Sealer } from '../../../base/sealing.ts';
import { replaceSecret } from './webhook-store.ts';
import { WEBHOOK_PREVIOUS_SECRET, WEBHOOK_SECRET, type Webhook } from './webhook-table.ts';

/** The longest time that two secrets sign, in seconds. Also the default. */
export const GRACE_SECONDS_MAX = 86_400;

const SECRET_BYTES = 32;

/** A Standard Webhooks secret: `whsec_` and base64. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * Gives a webhook a new secret. The old one signs beside it for `graceSeconds`; one from an earlier rotation ends.
 * @returns the new secret, shown once, and when the old one ends; null when it had none or ends now
 */
export async function rotateSecret(
  tx: Tx,
  sealer: Sealer,
  { id, secret: sealed }: Webhook,
  graceSeconds: number,
  now: number,
): Promise<{ secret: string; previousUntil: number | null }> {
  const secret = newSecret();
  const isKept = sealed !== null && graceSeconds > 0;
  const previousUntil = isKept ? now + graceSeconds * 1000 : null;
  await replaceSecret(tx, {
    id,
    secret: sealer.seal(WEBHOOK_SECRET, id, secret),
    previousSecret: isKept ? sealer.seal(WEBHOOK_PREVIOUS_SECRET, id, sealer.open(WEBHOOK_SECRET, id, sealed)) : null,
    previousUntil,
  });
  return { secret, previousUntil };
}

/** The secrets that sign a delivery now: the one before first, while it is valid. Empty when the webhook has none. */
export function secretsOf(
  sealer: Sealer,
  { id, secret, previousSecret, previousUntil }: Webhook,
  now: number,
): string[] {
  const previous =
    previousSecret !== null && previousUntil !== null && previousUntil > now
      ? [sealer.open(WEBHOOK_PREVIOUS_SECRET, id, previousSecret)]
      : [];
  return secret === null ? previous : [...previous, sealer.open(WEBHOOK_SECRET, id, secret)];
}
