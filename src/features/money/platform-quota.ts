import type { Reader } from '../../api/transaction.ts';
import { CAP_PERIODS, type CapPeriod } from '../../base/period.ts';
import { capStates, isSpentUp, readBudgetAt } from './budget.ts';
import { type Budget, forEachPeriod } from './budget-table.ts';

/** What the budget of a platform leaves to its pods. */
export interface PlatformQuota {
  /** Atomic USDC by period; Infinity without a cap. */
  left: Record<CapPeriod, number>;
  /** Whether a cap of the platform is used up, so that no charge fits. */
  isUsedUp: boolean;
}

export const NO_PLATFORM_QUOTA: PlatformQuota = {
  left: forEachPeriod(() => Number.POSITIVE_INFINITY),
  isUsedUp: false,
};

/** What a period of a pod has left at most: a longer period of its platform bounds a shorter one. */
export function remainingIn(platform: Budget): PlatformQuota {
  const states = capStates(platform.caps, platform.spend);
  const leftIn = (period: CapPeriod): number =>
    Math.min(...CAP_PERIODS.slice(CAP_PERIODS.indexOf(period)).map((one) => states[one]?.remaining ?? Infinity));
  return { left: forEachPeriod(leftIn), isUsedUp: isSpentUp({ ...platform, platformCaps: platform.caps }) };
}

/** @param platformId null for an account that is no pod */
export const platformRoom = async (reader: Reader, platformId: string | null, now: number): Promise<PlatformQuota> =>
  platformId === null ? NO_PLATFORM_QUOTA : remainingIn(await readBudgetAt(reader, platformId, now));
