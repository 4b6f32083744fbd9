import type { LockdownHook } from '../../api/account/lockdown-parts.ts';
import { restored } from '../service/settings/setting-history.ts';
import { type BudgetDeps, lockBudgetAt, revocableOf, storeSettings } from './budget.ts';
import type { Budget, Caps, OnLimit } from './budget-table.ts';

/**
 * Puts back the limits that a thief changed. Each cap is decided for itself: they may then be out of order, which binds a
 * charge to the lowest of them.
 */
export const secureBudget =
  (deps: BudgetDeps): LockdownHook =>
  async (tx, securing) => {
    const { accountId, now } = securing;
    const [former] = await deps.settingHistory.takeBack(tx, securing, 'budget');
    if (!former) return {};
    const budget = await lockBudgetAt(tx, accountId, now);
    const before = revocableOf(budget);
    const { singleTxLimit, onLimit, ...caps } = { ...before, ...former.fields } as Caps & {
      singleTxLimit: number | null;
      onLimit: OnLimit;
    };
    const next: Budget = { ...budget, caps, singleTxLimit, onLimit };
    await storeSettings(tx, deps, budget, next, now);
    return { changes: restored('budget', before, former, now) };
  };
