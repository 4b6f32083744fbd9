import { iso } from '../../kernel/clock.ts';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { AppendEvents, NewEvent } from '../../kernel/events.ts';
import { CAP_PERIODS, type CapPeriod, capPeriodStart, DAY_MS, nextCapPeriod } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { findAccount, lockAccounts } from '../accounts/account-rules.ts';
import {
  type Budget,
  type BudgetSettings,
  type Caps,
  forEachPeriod,
  NO_CAPS,
  newBudget,
  type Spend,
} from './budget-data.ts';
import {
  findBudgets,
  lockBudgets,
  putAway,
  readPeriod,
  savePlatformCaps,
  saveSettings,
  saveSpend,
} from './budget-store.ts';

/** Spend of periods that a clock may step back into. */
const PERIODS_KEPT_MS = 62 * DAY_MS;

/** The spend of the periods that `now` is in. */
async function spendAt(reader: Reader, budget: Budget, now: number): Promise<Record<CapPeriod, Spend>> {
  const spend = { ...budget.spend };
  for (const period of CAP_PERIODS) {
    const start = capPeriodStart(period, now);
    if (spend[period].start !== start)
      spend[period] = { start, spent: await readPeriod(reader, budget.accountId, period, start) };
  }
  return spend;
}

/**
 * Moves a locked budget's counters to the periods of `now`. Where the clock has stepped back that is an earlier period,
 * whose spend was kept: no step of a clock gives anything a second time. @returns whether there was anything to move
 */
export async function enterPeriods(tx: Tx, budget: Budget, now: number): Promise<boolean> {
  const spend = await spendAt(tx, budget, now);
  const left = CAP_PERIODS.filter((period) => spend[period].start !== budget.spend[period].start);
  for (const period of left) {
    const old = budget.spend[period];
    const before = Math.min(old.start, spend[period].start) - PERIODS_KEPT_MS;
    if (old.spent > 0) await putAway(tx, budget.accountId, period, old, before);
  }
  budget.spend = spend;
  return left.length > 0;
}

/** An account's budget in the periods of `now`. */
export async function readBudgetAt(reader: Reader, accountId: string, now: number): Promise<Budget> {
  const budget = await readBudget(reader, accountId);
  return { ...budget, spend: await spendAt(reader, budget, now) };
}

export const readBudget = async (reader: Reader, accountId: string): Promise<Budget> =>
  (await findBudgets(reader, [accountId])).get(accountId) ?? newBudget(accountId);

export interface CapState {
  limit: number;
  spent: number;
  remaining: number;
  /** Milliseconds. */
  resetsAt: number;
}

/** How a cap stands; a spend that an approval put above it leaves nothing, never less. */
export const capState = (limit: number, { start, spent }: Spend, period: CapPeriod): CapState => ({
  limit,
  spent,
  remaining: Math.max(0, limit - spent),
  resetsAt: nextCapPeriod(period, start),
});

export const capStates = (caps: Caps, spend: Budget['spend']): Record<CapPeriod, CapState | null> =>
  forEachPeriod((period) => (caps[period] === null ? null : capState(caps[period], spend[period], period)));

const spentUpOf = (caps: Caps, spend: Budget['spend']): CapPeriod[] =>
  CAP_PERIODS.filter((period) => (caps[period] ?? Number.POSITIVE_INFINITY) <= spend[period].spent);

/** The capped periods that have nothing left: under the account's own caps, and under its platform's. */
export const spentUp = ({ caps, platformCaps, spend }: Budget) => ({
  account: spentUpOf(caps, spend),
  platform: spentUpOf(platformCaps, spend),
});

/** `limit_reached` when any capped period has nothing left. */
export const isSpentUp = (budget: Budget): boolean => Object.values(spentUp(budget)).some(({ length }) => length > 0);

/** A `budget.limit_reached` for each cap that has nothing left now and had before. */
export function limitEvents(budget: Budget, before: ReturnType<typeof spentUp>, now: number): NewEvent[] {
  const after = spentUp(budget);
  return (['account', 'platform'] as const).flatMap((setBy) => {
    const caps = setBy === 'account' ? budget.caps : budget.platformCaps;
    const reached = after[setBy].filter((period) => !before[setBy].includes(period));
    return reached.map((period) => {
      const { limit, spent, resetsAt } = capState(caps[period] as number, budget.spend[period], period);
      const times = { period, limit_usdc: limit, spent_usdc: spent, resets_at: iso(resetsAt) };
      const data = { ...times, limit_set_by: setBy };
      return { accountId: budget.accountId, type: 'budget.limit_reached' as const, data, now };
    });
  });
}

/** @throws ApiError `invalid_request` unless daily <= weekly <= monthly, of those that there are */
function requireCapOrder(caps: Caps, path: string): void {
  const present = CAP_PERIODS.flatMap((period) => (caps[period] === null ? [] : { period, cap: caps[period] }));
  for (const [i, { period, cap }] of present.entries()) {
    const next = present[i + 1];
    if (next !== undefined && cap > next.cap)
      throw invalidField(
        `${path}/${period}`,
        'out_of_order',
        `The ${period} cap would be ${cap} and the ${next.period} cap ${next.cap}; daily <= weekly <= monthly must hold, stored caps included.`,
      );
  }
}

/** A change of settings: what is absent stays. */
export interface BudgetChange extends Partial<Omit<BudgetSettings, 'caps'>> {
  caps: Partial<Caps>;
}

const isLooser = (old: number | null, next: number | null): boolean => old !== null && (next === null || next > old);

const isLoosened = (old: BudgetSettings, next: BudgetSettings): boolean =>
  isLooser(old.singleTxLimit, next.singleTxLimit) ||
  CAP_PERIODS.some((period) => isLooser(old.caps[period], next.caps[period])) ||
  (old.authority === 'operator' && next.authority !== 'operator');

/** @throws ApiError `operator_required` where the operator alone decides, and somebody else asks */
export function requireAuthority(budget: Pick<Budget, 'authority'>, principal: Principal): void {
  if (budget.authority === 'operator' && !principal.operator) throw new ApiError('operator_required');
}

/**
 * Before an address is changed that opens the account or decides for it: an agent that its operator has taken the
 * authority from must not make itself the operator. @throws ApiError `operator_required`
 */
export async function requireAddressAuthority(tx: Tx, principal: Principal): Promise<void> {
  // The same lock as whoever hands the authority over: of two at once, one sees what the other did.
  await lockAccounts(tx, [principal.accountId]);
  requireAuthority(await readBudget(tx, principal.accountId), principal);
}

/** Budgets as the API changes them. */
export interface BudgetRules {
  /**
   * Changes limits and settings. @throws ApiError `invalid_request` for caps out of order, `operator_required`,
   * `operator_email_required`
   */
  change(tx: Tx, principal: Principal, change: BudgetChange, now: number): Promise<Budget>;
}

export function createBudgetRules(appendEvents: AppendEvents<Tx>): BudgetRules {
  return {
    change: async (tx, principal, change, now) => {
      const { accountId } = principal;
      await lockAccounts(tx, [accountId]);
      const budget = (await lockBudgets(tx, [accountId])).get(accountId) as Budget;
      await enterPeriods(tx, budget, now);
      const before = spentUp(budget);
      const { caps, ...settings } = change;
      const next: Budget = { ...budget, ...settings, caps: { ...budget.caps, ...caps } };
      requireCapOrder(next.caps, '/body/caps');
      if (isLoosened(budget, next)) requireAuthority(budget, principal);
      if (next.authority === 'operator' && (await findAccount(tx, accountId))?.operatorEmail === null)
        throw new ApiError('operator_email_required');
      await saveSettings(tx, next);
      await saveSpend(tx, next);
      const events = limitEvents(next, before, now);
      if (events.length > 0) await appendEvents(tx, events);
      return next;
    },
  };
}

/**
 * Sets what a platform allows its pod, checked beside the pod's own budget with every charge; null lifts all of it.
 * @throws ApiError `invalid_request` for caps out of order, with paths under `path`
 */
export async function setSpendingCaps(
  tx: Tx,
  podAccountId: string,
  caps: Partial<Caps> | null,
  path = '/body/spending_caps',
): Promise<void> {
  const next = { ...NO_CAPS, ...caps };
  requireCapOrder(next, path);
  await lockBudgets(tx, [podAccountId]);
  await savePlatformCaps(tx, podAccountId, next);
}

/** The caps that platforms set over these pods, by account; null where a pod has none. */
export async function spendingCapsOf(
  reader: Reader,
  podAccountIds: readonly string[],
): Promise<Map<string, Caps | null>> {
  const budgets = await findBudgets(reader, podAccountIds);
  return new Map(
    podAccountIds.map((id) => {
      const caps = budgets.get(id)?.platformCaps ?? NO_CAPS;
      return [id, CAP_PERIODS.every((period) => caps[period] === null) ? null : caps];
    }),
  );
}
