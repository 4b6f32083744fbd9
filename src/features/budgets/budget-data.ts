import { CAP_PERIODS, type CapPeriod } from '../../kernel/period.ts';

/** What may be spent in a period, in atomic USDC; null: any amount. */
export type Caps = Record<CapPeriod, number | null>;

export const NO_CAPS: Caps = { daily: null, weekly: null, monthly: null };

/** What a charge over a limit meets: a refusal, or a question to whoever holds the limit. */
export const ON_LIMIT = ['reject', 'approve'] as const;
export type OnLimit = (typeof ON_LIMIT)[number];

/** Who may loosen the limits and approve: any credential of the account, or its operator alone. */
export const AUTHORITIES = ['account', 'operator'] as const;
export type Authority = (typeof AUTHORITIES)[number];

export interface BudgetSettings {
  caps: Caps;
  onLimit: OnLimit;
  /** Atomic USDC. */
  singleTxLimit: number | null;
  authority: Authority;
}

/** The spend of one period: when it began, in milliseconds, and atomic USDC. */
export interface Spend {
  start: number;
  spent: number;
}

/** The row of an account that its charges lock: limits and counters. */
export interface Budget extends BudgetSettings {
  accountId: string;
  /** Of a pod: what its platform allows it. */
  platformCaps: Caps;
  spend: Record<CapPeriod, Spend>;
  /** Of the ledger as a whole. */
  entries: number;
  totalUsdc: number;
  categories: number;
  /** Of the latest entry, in microseconds. */
  lastPosition: number;
}

/** What an account has that never set a limit nor spent. */
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

/** The same for every period. */
export const forEachPeriod = <T>(make: (period: CapPeriod) => T): Record<CapPeriod, T> =>
  Object.fromEntries(CAP_PERIODS.map((period) => [period, make(period)])) as Record<CapPeriod, T>;
