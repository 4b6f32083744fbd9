import type { LockdownHook } from '../../api/account/lockdown-parts.ts';
import type { AppendEvents } from '../../api/events.ts';
import type { Tx } from '../../api/transaction.ts';
import { restored, type SettingHistory } from '../service/settings/setting-history.ts';
import { lockBudgetAt, revocableOf, storeSettings } from './budget.ts';
import type { Budget, Caps, OnLimit } from './budget-table.ts';

/**
 * Puts back the limits that a thief changed. Each cap is decided for itself: they may then be out of order, which binds a
 * charge to the lowest of them.
 */
export const secureBudget =
  (history: SettingHistory, appendEvents: AppendEvents<Tx>): LockdownHook =>
  async (tx, securing) => {
    const { accountId, now } = securing;
    const [former] = await history.takeBack(tx, securing, 'budget');
    if (!former) return {};
    const budget = await lockBudgetAt(tx, accountId, now);
    const before = revocableOf(budget);
    const { singleTxLimit, onLimit, ...caps } = { ...before, ...former.fields } as Caps & {
      singleTxLimit: number | null;
      onLimit: OnLimit;
    };
    const next: Budget = { ...budget, caps, singleTxLimit, onLimit };
    await storeSettings({ tx, appendEvents, now }, budget, next);
    return { changes: restored('budget', before, former, now) };
  };
