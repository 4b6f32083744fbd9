import { ApiError } from '../../kernel/errors.ts';
import { DAY_MS } from '../../kernel/period.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import {
  findReply,
  forgetReply,
  type KeptReply,
  purgeReplies,
  storeReply,
  takeIdempotencyKey,
} from './idempotency-store.ts';

interface IdempotentRequest {
  scope: string;
  key: string;
  fingerprint: string;
  now: number;
}

interface StoredReply {
  status: number;
  body: unknown;
}

/** Whether an earlier request with the key can answer for this one. Pure. */
function replayOf(kept: KeptReply, fingerprint: string): StoredReply {
  if (kept.fingerprint !== fingerprint) throw new ApiError('idempotency_mismatch');
  if (kept.status === null) throw new ApiError('idempotency_in_progress', { headers: { 'retry-after': '1' } });
  if (kept.body === null) throw new ApiError('idempotency_secret_spent');
  return { status: kept.status, body: JSON.parse(kept.body) };
}

/** The reply kept for the key, or null when it is free. */
export async function findReplay(reader: Reader, request: IdempotentRequest): Promise<StoredReply | null> {
  const kept = await findReply(reader, request.scope, request.key, request.now);
  return kept ? replayOf(kept, request.fingerprint) : null;
}

/** PostgreSQL's "lock not available": the first request is still in its transaction, on another instance. */
const isLockTimeout = (err: unknown): boolean =>
  err instanceof ApiError && (err.cause as { code?: string } | undefined)?.code === '55P03';

/** Takes the key in the effect's own transaction; returns the kept reply when another request was first. */
export async function beginIdempotent(tx: Tx, request: IdempotentRequest): Promise<StoredReply | null> {
  const { scope, key, fingerprint, now } = request;
  try {
    if (await takeIdempotencyKey(tx, { scope, key, fingerprint, now, expiresAt: now + DAY_MS })) return null;
  } catch (err) {
    throw isLockTimeout(err) ? new ApiError('idempotency_in_progress', { headers: { 'retry-after': '1' } }) : err;
  }
  return findReplay(tx, request);
}

/** Keeps the reply for 24 hours. A body of null was secret. */
export async function finishIdempotent(
  tx: Tx,
  request: IdempotentRequest,
  reply: { status: number; body: unknown | null },
): Promise<void> {
  const body = reply.body === null ? null : JSON.stringify(reply.body);
  await storeReply(tx, { scope: request.scope, key: request.key, status: reply.status, body });
}

/** Gives a key back whose request was refused, in the transaction that took it. */
export const releaseIdempotent = (tx: Tx, { scope, key }: IdempotentRequest): Promise<void> =>
  forgetReply(tx, scope, key);

export const purgeIdempotency = purgeReplies;
