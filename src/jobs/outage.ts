import { ApiError } from '../kernel/errors.ts';

/**
 * PostgreSQL: the connection failed (class 08), a transaction gave way to another (40), the server lacks disk, memory or
 * connections (53), a lock was not free (55P03), the server stops or starts (57P). The system: the connection or the disk.
 */
const CODES =
  /^(08|40|53)[0-9A-Z]{3}$|^55P03$|^57P0\d$|^ECONN|^(EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOSPC|EPIPE|ETIMEDOUT)$/;
/** What the PostgreSQL client says without a code. */
const MESSAGES = /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$/;
/** Primary result codes of SQLite: BUSY, LOCKED, IOERR, FULL. The bits above the lowest eight say more. */
const SQLITE_CODES = new Set([5, 6, 10, 13]);

/** Whether the database or the disk is away for now. Anything else fails the same way when it is tried again. */
export function isOutage(err: unknown): boolean {
  const cause = err instanceof ApiError ? err.cause : err;
  if (!(cause instanceof Error)) return false;
  const { code, errcode } = cause as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return SQLITE_CODES.has(errcode & 0xff);
  return typeof code === 'string' ? CODES.test(code) : MESSAGES.test(cause.message);
}
