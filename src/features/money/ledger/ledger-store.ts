import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { jsonRows } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { type CategoryTotal, LEDGER, LEDGER_TOTALS, type LedgerEntry } from './ledger-table.ts';

/** Inserts any number of entries with one statement. */
export const appendLedger = LEDGER.insertAll();

const findTotal = LEDGER_TOTALS.find();
const entriesOf = LEDGER.page(['accountId']);
const entriesOfCategory = LEDGER.page(['accountId', 'category']);

const sql = tables<{ ledger_totals: RowOf<typeof LEDGER_TOTALS> }>();

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
        .selectFrom(jsonRows(engine, p.rows, LEDGER_TOTALS.jsonTypes()).as('given'))
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

const totalsOfAccount = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('ledger_totals')
    .select(['category', 'total_usdc'])
    .where('account_id', '=', p.account_id)
    .orderBy('category')
    .limit(p.limit),
);

/** Returns the totals that exist of the given accounts' categories. */
export async function findTotals(
  tx: Tx,
  wanted: readonly Pick<CategoryTotal, 'accountId' | 'category'>[],
): Promise<CategoryTotal[]> {
  const rows = await tx.all(totalsOf, { rows: JSON.stringify(wanted.map((one) => [one.accountId, one.category])) });
  return rows.map(LEDGER_TOTALS.fromRow);
}

export const saveTotals = async (tx: Tx, totals: readonly CategoryTotal[]): Promise<void> =>
  void (await tx.run(putTotals, { rows: LEDGER_TOTALS.json(totals) }));

/** What an account has spent on a category. */
export const readTotal = async (
  reader: Reader,
  accountId: string,
  category: string,
): Promise<Pick<CategoryTotal, 'entries' | 'totalUsdc'>> =>
  (await findTotal(reader, accountId, category)) ?? { entries: 0, totalUsdc: 0 };

/** Returns the first categories by name, with the amount spent on each. */
export const listTotals = async (reader: Reader, accountId: string, limit: number): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await reader.all(totalsOfAccount, { account_id: accountId, limit })).map((row) => [row.category, row.total_usdc]),
  );

/** Lists the entries before a position, newest first. */
export const listEntries = (
  reader: Reader,
  accountId: string,
  category: string | null,
  before: { position: number; id: string },
  limit: number,
): Promise<LedgerEntry[]> =>
  category === null
    ? entriesOf(reader, { accountId }, before, limit)
    : entriesOfCategory(reader, { accountId, category }, before, limit);
