import type { Authority } from '../../api/authority.ts';
import type { Tool } from '../../api/tool.ts';
import { CAP_PERIODS, type CapPeriod } from '../../base/period.ts';
import { column, exported, type RecordOf } from '../../db/column-map.ts';
import { table } from '../../db/table.ts';

/** The most that may be spent in a period, in atomic USDC. Null means any amount. */
export type Caps = Record<CapPeriod, number | null>;

export const NO_CAPS: Caps = { daily: null, weekly: null, monthly: null };

/** What happens to a charge over a limit: it is refused, or the holder of the limit is asked to approve it. */
export const ON_LIMIT = ['reject', 'approve'] as const;
export type OnLimit = (typeof ON_LIMIT)[number];

/** The spend of one period: its start in milliseconds, and the amount in atomic USDC. */
export interface Spend {
  start: number;
  spent: number;
}

/** The row that the charges of an account lock. Its caps and counters by period are in {@link Budget}. */
export const BUDGETS = table(
  'budgets',
  {
    accountId: exported.text('account_id'),
    /** Atomic USDC. */
    singleTxLimit: exported.integer('single_tx_limit').orNull(),
    onLimit: exported.enum<OnLimit>()('on_limit'),
    authority: exported.enum<Authority>()('authority'),
    /** The next four count the whole ledger of the account. */
    entries: exported.integer('entries'),
    totalUsdc: exported.integer('total_usdc'),
    categories: exported.integer('categories'),
    /** Position of the latest entry, in microseconds. */
    lastPosition: exported.integer('last_position'),
  },
  {
    key: ['accountId'],
    account: ['accountId'],
    erase: 'delete',
  },
);

export interface Budget extends RecordOf<typeof BUDGETS> {
  caps: Caps;
  /** Of a pod: the caps that its platform sets. */
  platformCaps: Caps;
  spend: Record<CapPeriod, Spend>;
}
export type BudgetSettings = Pick<Budget, 'caps' | 'onLimit' | 'singleTxLimit' | 'authority'>;

/** The spend of a period that is not the current one. */
export const BUDGET_PERIODS = table(
  'budget_periods',
  {
    accountId: column.text('account_id'),
    period: column.enum<CapPeriod>()('period'),
    start: column.integer('period_start'),
    spent: column.integer('spent'),
  },
  {
    key: ['accountId', 'period', 'start'],
    account: ['accountId'],
    erase: 'delete',
  },
);
export type PeriodSpend = RecordOf<typeof BUDGET_PERIODS>;

/** The budget of an account that has set no limit and spent nothing. */
export const newBudget = (accountId: string): Budget => ({
  accountId,
  caps: NO_CAPS,
  platformCaps: NO_CAPS,
  singleTxLimit: null,
  onLimit: 'reject',
  authority: 'account',
  spend: { daily: { start: 0, spent: 0 }, weekly: { start: 0, spent: 0 }, monthly: { start: 0, spent: 0 } },
  entries: 0,
  totalUsdc: 0,
  categories: 0,
  lastPosition: 0,
});

/** Makes a value for every period. */
export const forEachPeriod = <T>(make: (period: CapPeriod) => T): Record<CapPeriod, T> =>
  Object.fromEntries(CAP_PERIODS.map((period) => [period, make(period)])) as Record<CapPeriod, T>;

export const BUDGET_TOOLS: readonly Tool[] = [
  {
    name: 'budget',
    group: 'money',
    description: 'The caps, what is left of each, and what happens over them.',
    takes: [],
  },
];
