import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../api/errors.ts';
import { monotonicMs } from '../base/clock.ts';

/**
 * PostgreSQL: the connection failed (class 08), a transaction gave way to another (40), the server lacks disk, memory or
 * connections (53), a lock was not free (55P03), the server stops or starts (57P), it takes no writes while another becomes
 * the first (25006), this process stood still inside a transaction (25P03, 25P04). The system: the connection or the disk.
 */
const CODES =
  /^(08|40|53)[0-9A-Z]{3}$|^25006$|^25P0[34]$|^55P03$|^57P0\d$|^ECONN|^(EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOSPC|EPIPE|ETIMEDOUT)$/;
/** What the PostgreSQL client says without a code. */
const MESSAGES = /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/;
/** Primary result codes of SQLite: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. The bits above the lowest eight say more. */
const SQLITE_CODES = new Set([5, 6, 8, 10, 13, 14]);

/** Whether the database or the disk is away for now. Anything else fails the same way when it is tried again. */
function isOutage(err: unknown): boolean {
  const cause = err instanceof ApiError ? err.cause : err;
  if (!(cause instanceof Error)) return false;
  const { code, errcode, syscall } = cause as { code?: unknown; errcode?: unknown; syscall?: unknown };
  // Also ENOENT: a server that stopped has removed its Unix socket.
  if (syscall === 'connect') return true;
  if (typeof errcode === 'number') return SQLITE_CODES.has(errcode & 0xff);
  return typeof code === 'string' ? CODES.test(code) : MESSAGES.test(cause.message);
}

/** Waits between the tries, in milliseconds. */
const AGAIN_MS = { first: 250, most: 4000 };

/**
 * Does what must not be given up because the database is away for a while, again until it succeeds.
 * @param options.forMs for how long, in milliseconds; less if `signal` aborts
 * @param options.onFailure gets the first failure, if there is one
 * @throws the last failure, and at once one that is no outage
 */
export async function retryDuringOutage<T>(
  work: () => Promise<T>,
  options: { forMs: number; signal?: AbortSignal; onFailure?(err: unknown): void },
): Promise<T> {
  const { forMs, signal, onFailure } = options;
  const until = monotonicMs() + forMs;
  for (let waitMs = AGAIN_MS.first; ; waitMs = Math.min(waitMs * 2, AGAIN_MS.most)) {
    try {
      return await work();
    } catch (err) {
      if (waitMs === AGAIN_MS.first) onFailure?.(err);
      if (!isOutage(err) || signal?.aborted || monotonicMs() > until) throw err;
      await sleep(waitMs, undefined, { ref: false, ...(signal && { signal }) }).catch(() => {});
    }
  }
}
