import { ApiError } from '../../../api/errors.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { findReply, forgetReply, purgeReplies, storeReply, takeIdempotencyKey } from './idempotency-store.ts';
import type { StoredReply } from './idempotency-table.ts';

interface IdempotentRequest {
  scope: string;
  key: string;
  fingerprint: string;
  now: number;
}

interface Replay {
  status: number;
  body: unknown;
}

/** Returns the reply of the first request. @throws ApiError when it cannot answer this request */
function replayOf(stored: StoredReply, fingerprint: string): Replay {
  if (stored.fingerprint !== fingerprint) throw new ApiError('idempotency_mismatch');
  if (stored.status === null) throw new ApiError('idempotency_in_progress', { headers: { 'retry-after': '1' } });
  if (stored.body === null) throw new ApiError('idempotency_secret_spent');
  return { status: stored.status, body: JSON.parse(stored.body) };
}

/** Returns the stored reply of the key, or null for a free key. */
export async function findReplay(reader: Reader, request: IdempotentRequest): Promise<Replay | null> {
  const stored = await findReply(reader, request.scope, request.key, request.now);
  return stored ? replayOf(stored, request.fingerprint) : null;
}

/** PostgreSQL's "lock not available": the transaction of the first request still runs on another instance. */
const isLockTimeout = (err: unknown): boolean =>
  err instanceof ApiError && (err.cause as { code?: string } | undefined)?.code === '55P03';

/** Takes the key in the transaction of the effect. @returns the stored reply when another request was first */
export async function beginIdempotent(tx: Tx, request: IdempotentRequest): Promise<Replay | null> {
  const { scope, key, fingerprint, now } = request;
  try {
    if (await takeIdempotencyKey(tx, { scope, key, fingerprint, expiresAt: now + DAY_MS }, now)) return null;
  } catch (err) {
    throw isLockTimeout(err) ? new ApiError('idempotency_in_progress', { headers: { 'retry-after': '1' } }) : err;
  }
  return findReplay(tx, request);
}

/** Stores the reply for 24 hours. Pass null for a body that holds a secret. */
export async function finishIdempotent(
  tx: Tx,
  request: IdempotentRequest,
  reply: { status: number; body: unknown | null },
): Promise<void> {
  const body = reply.body === null ? null : JSON.stringify(reply.body);
  await storeReply(tx, { scope: request.scope, key: request.key, status: reply.status, body });
}

/** Frees the key of a refused request, in the transaction that took it. */
export const releaseIdempotent = async (tx: Tx, { scope, key }: IdempotentRequest): Promise<void> =>
  void (await forgetReply(tx, scope, key));

export const purgeIdempotency = purgeReplies;
