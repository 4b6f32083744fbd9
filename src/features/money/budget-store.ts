import type { Reader, Tx } from '../../api/transaction.ts';
import { CAP_PERIODS, type CapPeriod } from '../../base/period.ts';
import type { RowOf } from '../../db/column-map.ts';
import { isAmong, jsonRows } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import {
  BUDGET_PERIODS,
  BUDGETS,
  type Budget,
  type Caps,
  forEachPeriod,
  newBudget,
  type PeriodSpend,
} from './budget-table.ts';

type SpendColumns = Record<`${CapPeriod}_start` | `${CapPeriod}_spent`, number>;
type CapColumns = Record<`${CapPeriod}_cap`, number | null>;
type PlatformCapColumns = Record<`platform_${CapPeriod}_cap`, number | null>;
type Row = RowOf<typeof BUDGETS> & CapColumns & PlatformCapColumns & SpendColumns;
type PeriodRow = RowOf<typeof BUDGET_PERIODS>;

const keepPeriod = BUDGET_PERIODS.save();
const findPeriod = BUDGET_PERIODS.find();

const sql = tables<{ budgets: Row; budget_periods: PeriodRow }>();

const NAMES = [
  ...BUDGETS.names,
  ...CAP_PERIODS.flatMap(
    (period) => [`${period}_cap`, `platform_${period}_cap`, `${period}_start`, `${period}_spent`] as const,
  ),
];

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('budgets')
    .select(NAMES)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);

/** Locks in the order of ids, so that transactions over the same accounts cannot deadlock. */
const byIdsForUpdate = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('budgets')
    .select(NAMES)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .orderBy('account_id');
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** Skips budgets that another transaction has locked. */
const freeForUpdate = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('budgets')
    .select(NAMES)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids));
  return engine === 'postgres' ? query.forUpdate().skipLocked() : query;
});

const insertRow = sql((q, p: { account_id: string }) =>
  q
    .insertInto('budgets')
    .values({ ...toRow(newBudget('')), account_id: p.account_id })
    .onConflict((conflict) => conflict.doNothing()),
);

/** What a charge changes. */
const SPEND_COLUMNS = [
  ...CAP_PERIODS.flatMap((period) => [`${period}_start`, `${period}_spent`] as const),
  'entries',
  'total_usdc',
  'categories',
  'last_position',
] as const;
type SpendColumn = (typeof SPEND_COLUMNS)[number];
const SETTING_COLUMNS = [
  ...CAP_PERIODS.map((period) => `${period}_cap` as const),
  'single_tx_limit',
  'on_limit',
  'authority',
] as const;

const PLATFORM_CAP_COLUMNS = CAP_PERIODS.map((period) => `platform_${period}_cap` as const);
const SPEND_TYPES = {
  for_account: 'text',
  ...(Object.fromEntries(SPEND_COLUMNS.map((column) => [column, 'integer'])) as Record<SpendColumn, 'integer'>),
} as const;

/** Some columns of `p` by name. The parameters of a statement cannot be spread. */
const pick = <P, const C extends keyof P & string>(p: P, columns: readonly C[]): Pick<P, C> =>
  Object.fromEntries(columns.map((column) => [column, p[column]])) as Pick<P, C>;

const setSpend = sql((q, p: Row) =>
  q.updateTable('budgets').set(pick(p, SPEND_COLUMNS)).where('account_id', '=', p.account_id),
);

const setSpends = sql((q, p: { rows: string }, engine) =>
  q
    .updateTable('budgets')
    .from(jsonRows(engine, p.rows, SPEND_TYPES).as('given'))
    .set((eb) => Object.fromEntries(SPEND_COLUMNS.map((column) => [column, eb.ref(`given.${column}`)])))
    .whereRef('account_id', '=', 'given.for_account'),
);

const setSettings = sql((q, p: Row) =>
  q.updateTable('budgets').set(pick(p, SETTING_COLUMNS)).where('account_id', '=', p.account_id),
);

const setPlatformCaps = sql((q, p: { account_id: string } & PlatformCapColumns) =>
  q.updateTable('budgets').set(pick(p, PLATFORM_CAP_COLUMNS)).where('account_id', '=', p.account_id),
);

const deletePeriods = sql((q, p: { account_id: string; period: CapPeriod; before: number }) =>
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

const spendColumns = ({ daily, weekly, monthly }: Budget['spend']): SpendColumns => ({
  daily_start: daily.start,
  daily_spent: daily.spent,
  weekly_start: weekly.start,
  weekly_spent: weekly.spent,
  monthly_start: monthly.start,
  monthly_spent: monthly.spent,
});

function toRow(budget: Budget): Row {
  const { caps, platformCaps, spend } = budget;
  return { ...BUDGETS.toRow(budget), ...capColumns(caps), ...platformCapColumns(platformCaps), ...spendColumns(spend) };
}

const toBudget = (row: Row): Budget => ({
  ...BUDGETS.fromRow(row),
  caps: forEachPeriod((period) => row[`${period}_cap`]),
  platformCaps: forEachPeriod((period) => row[`platform_${period}_cap`]),
  spend: forEachPeriod((period) => ({ start: row[`${period}_start`], spent: row[`${period}_spent`] })),
});

const listOf = (ids: readonly string[]): string => JSON.stringify([...new Set(ids)].map((id) => [id]));

const byAccount = (rows: readonly Row[]): Map<string, Budget> =>
  new Map(rows.map((row) => [row.account_id, toBudget(row)]));

/** Returns the budgets of the accounts that have one. */
export const findBudgets = async (reader: Reader, ids: readonly string[]): Promise<Map<string, Budget>> =>
  byAccount(await reader.all(byIds, { ids: listOf(ids) }));

/** Locks and returns the budgets of the accounts that have one. */
export const lockExisting = async (tx: Tx, ids: readonly string[]): Promise<Map<string, Budget>> =>
  byAccount(await tx.all(byIdsForUpdate, { ids: listOf(ids) }));

/** Locks and returns the budgets of the accounts that have one which nobody else has locked. Waits for nobody. */
export const lockFree = async (tx: Tx, ids: readonly string[]): Promise<Map<string, Budget>> =>
  byAccount(await tx.all(freeForUpdate, { ids: listOf(ids) }));

/** Locks and returns the budgets of all these accounts. Creates the rows that are missing. */
export async function lockBudgets(tx: Tx, ids: readonly string[]): Promise<Map<string, Budget>> {
  const found = await lockExisting(tx, ids);
  const missing = [...new Set(ids)].filter((id) => !found.has(id)).sort();
  if (missing.length === 0) return found;
  for (const id of missing) await tx.run(insertRow, { account_id: id });
  return lockExisting(tx, ids);
}

/** Saves the counters of a locked budget. */
export const saveSpend = async (tx: Tx, budget: Budget): Promise<void> => void (await tx.run(setSpend, toRow(budget)));

/** Saves the counters of any number of locked budgets with one statement. */
export async function saveSpends(tx: Tx, budgets: readonly Budget[]): Promise<void> {
  if (budgets.length === 1) return saveSpend(tx, budgets[0] as Budget);
  const rows = budgets.map(toRow).map((row) => [row.account_id, ...SPEND_COLUMNS.map((column) => row[column])]);
  await tx.run(setSpends, { rows: JSON.stringify(rows) });
}

export const saveSettings = async (tx: Tx, budget: Budget): Promise<void> =>
  void (await tx.run(setSettings, toRow(budget)));

export const savePlatformCaps = async (tx: Tx, accountId: string, caps: Caps): Promise<void> =>
  void (await tx.run(setPlatformCaps, { account_id: accountId, ...platformCapColumns(caps) }));

/** Returns the spend of a period that is not the current one. */
export const readPeriod = async (
  reader: Reader,
  accountId: string,
  period: CapPeriod,
  start: number,
): Promise<number> => (await findPeriod(reader, accountId, period, start))?.spent ?? 0;

/** Keeps the spend of a period that has passed, and deletes those that began before `before`. */
export async function keepSpend(tx: Tx, spend: PeriodSpend, before: number): Promise<void> {
  await keepPeriod(tx, spend);
  await tx.run(deletePeriods, { account_id: spend.accountId, period: spend.period, before });
}
