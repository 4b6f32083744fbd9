import { type ListWaiting, partOf, type WaitingItem } from '../../api/account/waiting.ts';
import { CAP_PERIODS, capPeriodStart } from '../../base/period.ts';
import { usdc } from '../../base/usdc.ts';
import { capState } from './budget.ts';
import { findBudgets } from './budget-store.ts';
import type { Budget } from './budget-table.ts';

/** A cap is low when less than this part of it is left. */
const LOW_SHARE = 0.2;

function lowCaps({ accountId, caps, platformCaps, spend, authority }: Budget, now: number): WaitingItem[] {
  return (['account', 'platform'] as const).flatMap((setBy) =>
    CAP_PERIODS.flatMap((period) => {
      const limit = (setBy === 'account' ? caps : platformCaps)[period];
      // Nothing is spent in a period that no charge has begun.
      if (limit === null || spend[period].start !== capPeriodStart(period, now)) return [];
      const { remaining, resetsAt } = capState(limit, spend[period], period);
      if (remaining >= limit * LOW_SHARE) return [];
      const whose = setBy === 'account' ? '' : ' that the platform set';
      return {
        id: `${accountId}-${setBy}-${period}`,
        accountId,
        since: spend[period].start,
        expiresAt: resetsAt,
        summary: `${usdc(remaining)} of ${usdc(limit)} USDC are left of the ${period} cap${whose}.`,
        deciders: setBy === 'platform' ? ['other'] : authority === 'operator' ? ['operator'] : ['account', 'operator'],
        call: { operation: 'setBudget' },
      };
    }),
  );
}

/** The caps of which little is left, each until its period ends. */
export const waitingCaps: ListWaiting = async (reader, query) => {
  const budgets = await findBudgets(reader, query.accountIds);
  return partOf(
    [...budgets.values()].flatMap((budget) => lowCaps(budget, query.now)),
    query,
  );
};
