import { jsonRows } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface LedgerRow {
  account_id: string;
  position: number;
  id: string;
  spender_id: string;
  amount_usdc: number;
  category: string;
  description: string;
  reference_id: string | null;
  metadata: string | null;
  approval_id: string | null;
  created_at: number;
}

interface TotalRow {
  account_id: string;
  category: string;
  entries: number;
  total_usdc: number;
}

const sql = tables<{ ledger: LedgerRow; ledger_totals: TotalRow }>();

/** In the order in which they are bound. */
const LEDGER_COLUMNS = {
  account_id: 'text',
  position: 'integer',
  id: 'text',
  spender_id: 'text',
  amount_usdc: 'integer',
  category: 'text',
  description: 'text',
  reference_id: 'text?',
  metadata: 'text?',
  approval_id: 'text?',
  created_at: 'integer',
} as const;
const LEDGER_NAMES = Object.keys(LEDGER_COLUMNS) as (keyof LedgerRow)[];

const TOTAL_COLUMNS = { account_id: 'text', category: 'text', entries: 'integer', total_usdc: 'integer' } as const;
const TOTAL_NAMES = Object.keys(TOTAL_COLUMNS) as (keyof TotalRow)[];

const insertEntries = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('ledger')
    .columns(LEDGER_NAMES)
    .expression((eb) => eb.selectFrom(jsonRows(engine, p.rows, LEDGER_COLUMNS).as('given')).select(LEDGER_NAMES)),
);

const totalsOf = sql((q, p: { rows: string }, engine) =>
  q
    .selectFrom(jsonRows(engine, p.rows, { for_account: 'text', for_category: 'text' }).as('given'))
    .innerJoin('ledger_totals', (join) =>
      join.onRef('account_id', '=', 'given.for_account').onRef('category', '=', 'given.for_category'),
    )
    .select(['account_id', 'category', 'entries', 'total_usdc']),
);

/** `where true`: without it SQLite takes ON CONFLICT for a join's ON. */
const putTotals = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('ledger_totals')
    .columns(TOTAL_NAMES)
    .expression((eb) =>
      eb
        .selectFrom(jsonRows(engine, p.rows, TOTAL_COLUMNS).as('given'))
        .select(TOTAL_NAMES)
        .where(eb.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'category']).doUpdateSet((eb) => ({
        entries: eb.ref('excluded.entries'),
        total_usdc: eb.ref('excluded.total_usdc'),
      })),
    ),
);

const totalOf = sql((q, p: { account_id: string; category: string }) =>
  q
    .selectFrom('ledger_totals')
    .select(['entries', 'total_usdc'])
    .where('account_id', '=', p.account_id)
    .where('category', '=', p.category),
);

const totalsOfAccount = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('ledger_totals')
    .select(['category', 'total_usdc'])
    .where('account_id', '=', p.account_id)
    .orderBy('category')
    .limit(p.limit),
);

interface PageParams {
  account_id: string;
  position: number;
  id: string;
  limit: number;
}

const newest = sql((q, p: PageParams) =>
  q
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where((eb) => eb(eb.refTuple('position', 'id'), '<', eb.tuple(p.position, p.id)))
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const newestOfCategory = sql((q, p: PageParams & { category: string }) =>
  q
    .selectFrom('ledger')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('category', '=', p.category)
    .where((eb) => eb(eb.refTuple('position', 'id'), '<', eb.tuple(p.position, p.id)))
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** One charge in the ledger of one account. */
export interface LedgerEntry {
  accountId: string;
  position: number;
  id: string;
  /** Who spent it: the account itself, or a pod of it. */
  spenderId: string;
  amountUsdc: number;
  category: string;
  description: string;
  referenceId: string | null;
  /** JSON text. */
  metadata: string | null;
  approvalId: string | null;
  createdAt: number;
}

const toEntry = (row: LedgerRow): LedgerEntry => ({
  accountId: row.account_id,
  position: row.position,
  id: row.id,
  spenderId: row.spender_id,
  amountUsdc: row.amount_usdc,
  category: row.category,
  description: row.description,
  referenceId: row.reference_id,
  metadata: row.metadata,
  approvalId: row.approval_id,
  createdAt: row.created_at,
});

export async function appendLedger(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  const rows = entries.map((entry) => [
    entry.accountId,
    entry.position,
    entry.id,
    entry.spenderId,
    entry.amountUsdc,
    entry.category,
    entry.description,
    entry.referenceId,
    entry.metadata,
    entry.approvalId,
    entry.createdAt,
  ]);
  await tx.run(insertEntries, { rows: JSON.stringify(rows) });
}

/** What an account has spent on a category. */
export interface CategoryTotal {
  accountId: string;
  category: string;
  entries: number;
  totalUsdc: number;
}

/** The totals that exist of the given accounts' categories. */
export async function findTotals(
  tx: Tx,
  wanted: readonly { accountId: string; category: string }[],
): Promise<CategoryTotal[]> {
  const rows = await tx.all(totalsOf, { rows: JSON.stringify(wanted.map((one) => [one.accountId, one.category])) });
  return rows.map((row) => ({
    accountId: row.account_id,
    category: row.category,
    entries: row.entries,
    totalUsdc: row.total_usdc,
  }));
}

export async function saveTotals(tx: Tx, totals: readonly CategoryTotal[]): Promise<void> {
  const rows = totals.map((one) => [one.accountId, one.category, one.entries, one.totalUsdc]);
  await tx.run(putTotals, { rows: JSON.stringify(rows) });
}

export async function readTotal(reader: Reader, accountId: string, category: string) {
  const row = await reader.first(totalOf, { account_id: accountId, category });
  return { entries: row?.entries ?? 0, totalUsdc: row?.total_usdc ?? 0 };
}

/** The first categories by name, with what was spent on each. */
export const listTotals = async (reader: Reader, accountId: string, limit: number): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await reader.all(totalsOfAccount, { account_id: accountId, limit })).map((row) => [row.category, row.total_usdc]),
  );

/** Entries before a place in the ledger, newest first. */
export async function listEntries(
  reader: Reader,
  accountId: string,
  category: string | null,
  before: { position: number; id: string },
  limit: number,
): Promise<LedgerEntry[]> {
  const params = { account_id: accountId, ...before, limit };
  const rows =
    category === null ? await reader.all(newest, params) : await reader.all(newestOfCategory, { ...params, category });
  return rows.map(toEntry);
}
