import { jsonRows } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import type { CapPeriod } from '../../kernel/period.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import {
  type Authority,
  type Budget,
  type Caps,
  forEachPeriod,
  newBudget,
  type OnLimit,
  type Spend,
} from './budget-data.ts';

type SpendColumns = Record<`${CapPeriod}_start` | `${CapPeriod}_spent`, number>;
type CapColumns = Record<`${CapPeriod}_cap`, number | null>;
type PlatformCapColumns = Record<`platform_${CapPeriod}_cap`, number | null>;

interface SettingColumns extends CapColumns {
  single_tx_limit: number | null;
  on_limit: string;
  authority: string;
}
interface LedgerColumns {
  entries: number;
  total_usdc: number;
  categories: number;
  last_position: number;
}
interface Row extends SettingColumns, PlatformCapColumns, SpendColumns, LedgerColumns {
  account_id: string;
}

interface Tables {
  budgets: Row;
  budget_periods: { account_id: string; period: string; period_start: number; spent: number };
}

const sql = tables<Tables>();

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', 'in', (eb) => eb.selectFrom(jsonRows(engine, p.ids, { id: 'text' }).as('given')).select('id')),
);

/** In the order of ids, so that transactions over the same accounts wait for each other instead of dead-locking. */
const byIdsForUpdate = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', 'in', (eb) => eb.selectFrom(jsonRows(engine, p.ids, { id: 'text' }).as('given')).select('id'))
    .orderBy('account_id');
  return engine === 'postgres' ? query.forUpdate() : query;
});

const insertRow = sql((q, p: { account_id: string }) =>
  q
    .insertInto('budgets')
    .values({ account_id: p.account_id, ...columnsOf(newBudget('')) })
    .onConflict((conflict) => conflict.doNothing()),
);

const setSpend = sql((q, p: { account_id: string } & SpendColumns & LedgerColumns) =>
  q
    .updateTable('budgets')
    .set({
      daily_start: p.daily_start,
      daily_spent: p.daily_spent,
      weekly_start: p.weekly_start,
      weekly_spent: p.weekly_spent,
      monthly_start: p.monthly_start,
      monthly_spent: p.monthly_spent,
      entries: p.entries,
      total_usdc: p.total_usdc,
      categories: p.categories,
      last_position: p.last_position,
    })
    .where('account_id', '=', p.account_id),
);

const setSettings = sql((q, p: { account_id: string } & SettingColumns) =>
  q
    .updateTable('budgets')
    .set({
      daily_cap: p.daily_cap,
      weekly_cap: p.weekly_cap,
      monthly_cap: p.monthly_cap,
      single_tx_limit: p.single_tx_limit,
      on_limit: p.on_limit,
      authority: p.authority,
    })
    .where('account_id', '=', p.account_id),
);

const setPlatformCaps = sql((q, p: { account_id: string } & PlatformCapColumns) =>
  q
    .updateTable('budgets')
    .set({
      platform_daily_cap: p.platform_daily_cap,
      platform_weekly_cap: p.platform_weekly_cap,
      platform_monthly_cap: p.platform_monthly_cap,
    })
    .where('account_id', '=', p.account_id),
);

const keepPeriod = sql((q, p: Tables['budget_periods']) =>
  q
    .insertInto('budget_periods')
    .values({ account_id: p.account_id, period: p.period, period_start: p.period_start, spent: p.spent })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'period', 'period_start']).doUpdateSet({ spent: p.spent }),
    ),
);

const periodAt = sql((q, p: Omit<Tables['budget_periods'], 'spent'>) =>
  q
    .selectFrom('budget_periods')
    .select('spent')
    .where('account_id', '=', p.account_id)
    .where('period', '=', p.period)
    .where('period_start', '=', p.period_start),
);

const forgetPeriods = sql((q, p: { account_id: string; period: string; before: number }) =>
  q
    .deleteFrom('budget_periods')
    .where('account_id', '=', p.account_id)
    .where('period', '=', p.period)
    .where('period_start', '<', p.before),
);

const capColumns = (caps: Caps): CapColumns => ({
  daily_cap: caps.daily,
  weekly_cap: caps.weekly,
  monthly_cap: caps.monthly,
});

const platformCapColumns = (caps: Caps): PlatformCapColumns => ({
  platform_daily_cap: caps.daily,
  platform_weekly_cap: caps.weekly,
  platform_monthly_cap: caps.monthly,
});

const settingColumns = (budget: Budget): SettingColumns => ({
  ...capColumns(budget.caps),
  single_tx_limit: budget.singleTxLimit,
  on_limit: budget.onLimit,
  authority: budget.authority,
});

const spendColumns = ({ spend, ...budget }: Budget): SpendColumns & LedgerColumns => ({
  daily_start: spend.daily.start,
  daily_spent: spend.daily.spent,
  weekly_start: spend.weekly.start,
  weekly_spent: spend.weekly.spent,
  monthly_start: spend.monthly.start,
  monthly_spent: spend.monthly.spent,
  entries: budget.entries,
  total_usdc: budget.totalUsdc,
  categories: budget.categories,
  last_position: budget.lastPosition,
});

function columnsOf(budget: Budget): Omit<Row, 'account_id'> {
  return { ...settingColumns(budget), ...platformCapColumns(budget.platformCaps), ...spendColumns(budget) };
}

const toBudget = (row: Row): Budget => ({
  accountId: row.account_id,
  caps: forEachPeriod((period) => row[`${period}_cap`]),
  platformCaps: forEachPeriod((period) => row[`platform_${period}_cap`]),
  singleTxLimit: row.single_tx_limit,
  onLimit: row.on_limit as OnLimit,
  authority: row.authority as Authority,
  spend: forEachPeriod((period) => ({ start: row[`${period}_start`], spent: row[`${period}_spent`] })),
  entries: row.entries,
  totalUsdc: row.total_usdc,
  categories: row.categories,
  lastPosition: row.last_position,
});

const listOf = (ids: readonly string[]): string => JSON.stringify([...new Set(ids)].map((id) => [id]));

const byAccount = (rows: readonly Row[]): Map<string, Budget> =>
  new Map(rows.map((row) => [row.account_id, toBudget(row)]));

/** The budgets of those accounts that have one. */
export const findBudgets = async (reader: Reader, ids: readonly string[]): Promise<Map<string, Budget>> =>
  byAccount(await reader.all(byIds, { ids: listOf(ids) }));

/** The budgets of those accounts that have one, locked. */
export const lockExisting = async (tx: Tx, ids: readonly string[]): Promise<Map<string, Budget>> =>
  byAccount(await tx.all(byIdsForUpdate, { ids: listOf(ids) }));

/** The budgets of all these accounts, locked; one that had none gets its row. */
export async function lockBudgets(tx: Tx, ids: readonly string[]): Promise<Map<string, Budget>> {
  const found = await lockExisting(tx, ids);
  const missing = [...new Set(ids)].filter((id) => !found.has(id)).sort();
  if (missing.length === 0) return found;
  for (const id of missing) await tx.run(insertRow, { account_id: id });
  return lockExisting(tx, ids);
}

export const saveSpend = async (tx: Tx, budget: Budget): Promise<void> =>
  void (await tx.run(setSpend, { account_id: budget.accountId, ...spendColumns(budget) }));

export const saveSettings = async (tx: Tx, budget: Budget): Promise<void> =>
  void (await tx.run(setSettings, { account_id: budget.accountId, ...settingColumns(budget) }));

export const savePlatformCaps = async (tx: Tx, accountId: string, caps: Caps): Promise<void> =>
  void (await tx.run(setPlatformCaps, { account_id: accountId, ...platformCapColumns(caps) }));

/** The spend of a period that is not the current one. */
export const readPeriod = async (
  reader: Reader,
  accountId: string,
  period: CapPeriod,
  start: number,
): Promise<number> =>
  (await reader.first(periodAt, { account_id: accountId, period, period_start: start }))?.spent ?? 0;

/** Keeps the spend of a period that is left, and forgets those that began before `before`. */
export async function putAway(
  tx: Tx,
  accountId: string,
  period: CapPeriod,
  left: Spend,
  before: number,
): Promise<void> {
  await tx.run(keepPeriod, { account_id: accountId, period, period_start: left.start, spent: left.spent });
  await tx.run(forgetPeriods, { account_id: accountId, period, before });
}
