import { ApiError } from '../../../api/errors.ts';
import { decodeCursor, pageOf } from '../../../api/page.ts';
import type { Reader } from '../../../api/transaction.ts';
import { isId } from '../../../base/ids.ts';
import { readBudget } from '../budget.ts';
import { listEntries, listTotals, readTotal } from './ledger-store.ts';
import { CATEGORIES_MAX, type LedgerEntry, positionOfIso } from './ledger-table.ts';

/** A page of an account's ledger, and the sums of all of it. */
export interface History {
  entries: LedgerEntry[];
  count: number;
  totalUsdc: number;
  byCategory: Record<string, number>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface HistoryRequest {
  /** Null for every category. */
  category: string | null;
  /** RFC 3339. */
  before: string | undefined;
  cursor: string | undefined;
  limit: number;
}

/** After every entry. No id is empty, so none shares it. */
const END = { position: Number.MAX_SAFE_INTEGER, id: '' };

function startOf({ before, cursor }: HistoryRequest): { position: number; id: string } {
  if (cursor !== undefined) {
    const [position, id] = decodeCursor(cursor, ['number', 'string']) ?? [];
    if (!Number.isSafeInteger(position) || !isId('chg', String(id))) throw new ApiError('invalid_cursor');
    return { position: Number(position), id: String(id) };
  }
  return before === undefined ? END : { position: positionOfIso(before), id: '' };
}

/**
 * Reads a page of the ledger, newest first. The sums come from counters, so a page costs the same however long the
 * ledger is. @throws ApiError `invalid_cursor`
 */
export async function readHistory(reader: Reader, accountId: string, request: HistoryRequest): Promise<History> {
  const { category, limit } = request;
  const rows = await listEntries(reader, accountId, category, startOf(request), limit + 1);
  const { rows: entries, hasMore, nextCursor } = pageOf(rows, limit, ({ position, id }) => [position, id]);
  if (category !== null) {
    const { entries: count, totalUsdc } = await readTotal(reader, accountId, category);
    return { entries, hasMore, nextCursor, count, totalUsdc, byCategory: count > 0 ? { [category]: totalUsdc } : {} };
  }
  const { entries: count, totalUsdc } = await readBudget(reader, accountId);
  const byCategory = await listTotals(reader, accountId, CATEGORIES_MAX);
  return { entries, hasMore, nextCursor, count, totalUsdc, byCategory };
}
