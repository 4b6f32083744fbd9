import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { jsonRows } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { type CategoryTotal, LEDGER, LEDGER_TOTALS, type LedgerEntry } from './ledger-table.ts';

type LedgerRow = RowOf<typeof LEDGER>;
type TotalRow = RowOf<typeof LEDGER_TOTALS>;

const sql = tables<{ ledger: LedgerRow; ledger_totals: TotalRow }>();

/** The types of the columns, in the order of the column map: values are bound by their place. */
const LEDGER_TYPES = {
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
} as const satisfies Record<keyof LedgerRow, string>;
const TOTAL_TYPES = {
  account_id: 'text',
  category: 'text',
  entries: 'integer',
  total_usdc: 'integer',
} as const satisfies Record<keyof TotalRow, string>;

const insertEntries = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('ledger')
    .columns(LEDGER.names)
    .expression((eb) => eb.selectFrom(jsonRows(engine, p.rows, LEDGER_TYPES).as('given')).select(LEDGER.names)),
);

const totalsOf = sql((q, p: { rows: string }, engine) =>
  q
    .selectFrom(jsonRows(engine, p.rows, { for_account: 'text', for_category: 'text' }).as('given'))
    .innerJoin('ledger_totals', (join) =>
      join.onRef('account_id', '=', 'given.for_account').onRef('category', '=', 'given.for_category'),
    )
    .select(LEDGER_TOTALS.names),
);

/** Without `where true`, SQLite reads ON CONFLICT as the ON of a join. */
const putTotals = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('ledger_totals')
    .columns(LEDGER_TOTALS.names)
    .expression((eb) =>
      eb
        .selectFrom(jsonRows(engine, p.rows, TOTAL_TYPES).as('given'))
        .select(LEDGER_TOTALS.names)
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
    .select(LEDGER.names)
    .where('account_id', '=', p.account_id)
    .where((eb) => eb(eb.refTuple('position', 'id'), '<', eb.tuple(p.position, p.id)))
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const newestOfCategory = sql((q, p: PageParams & { category: string }) =>
  q
    .selectFrom('ledger')
    .select(LEDGER.names)
    .where('account_id', '=', p.account_id)
    .where('category', '=', p.category)
    .where((eb) => eb(eb.refTuple('position', 'id'), '<', eb.tuple(p.position, p.id)))
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const LEDGER_FIELDS = Object.keys(LEDGER.columns) as (keyof LedgerEntry)[];
const TOTAL_FIELDS = Object.keys(LEDGER_TOTALS.columns) as (keyof CategoryTotal)[];

/** Inserts any number of entries with one statement. */
export async function appendLedger(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  const rows = entries.map((entry) => LEDGER_FIELDS.map((field) => entry[field]));
  await tx.run(insertEntries, { rows: JSON.stringify(rows) });
}

/** Returns the totals that exist of the given accounts' categories. */
export async function findTotals(
  tx: Tx,
  wanted: readonly Pick<CategoryTotal, 'accountId' | 'category'>[],
): Promise<CategoryTotal[]> {
  const rows = await tx.all(totalsOf, { rows: JSON.stringify(wanted.map((one) => [one.accountId, one.category])) });
  return rows.map(LEDGER_TOTALS.fromRow);
}

export async function saveTotals(tx: Tx, totals: readonly CategoryTotal[]): Promise<void> {
  const rows = totals.map((total) => TOTAL_FIELDS.map((field) => total[field]));
  await tx.run(putTotals, { rows: JSON.stringify(rows) });
}

export async function readTotal(
  reader: Reader,
  accountId: string,
  category: string,
): Promise<Pick<CategoryTotal, 'entries' | 'totalUsdc'>> {
  const row = await reader.first(totalOf, { account_id: accountId, category });
  return { entries: row?.entries ?? 0, totalUsdc: row?.total_usdc ?? 0 };
}

/** Returns the first categories by name, with the amount spent on each. */
export const listTotals = async (reader: Reader, accountId: string, limit: number): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await reader.all(totalsOfAccount, { account_id: accountId, limit })).map((row) => [row.category, row.total_usdc]),
  );

/** Lists the entries before a position, newest first. */
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
  return rows.map(LEDGER.fromRow);
}
