import type { Limits, Tier } from '../../kernel/limits.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { RequestMeter } from '../limits/meter-rules.ts';
import { type EmailQuota, readEmailQuota } from '../limits/quota-rules.ts';
import { countStacks } from '../stacks/stack-rules.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';

export interface Usage {
  requests: { used: number; limit: number };
  stacks: { used: number; limit: number };
  emails: EmailQuota;
}

export interface UsageRules {
  /** What is used of the limits of `now`'s UTC day and hour; of the platform's for a pod. */
  usage(quotaAccountId: string, tier: Tier, now: number): Promise<Usage>;
}

/** What payments cost, and whether any is taken. */
export type Prices = Pick<PaymentRules, 'acceptance' | 'prices'>;

export function createUsageRules(limits: Limits, meter: RequestMeter, database: Reader): UsageRules {
  return {
    usage: async (quotaAccountId, tier, now) => ({
      requests: { used: await meter.used(quotaAccountId, now), limit: limits[tier].requests_per_day },
      stacks: { used: await countStacks(database, quotaAccountId), limit: limits[tier].stacks },
      emails: await readEmailQuota(database, quotaAccountId, limits[tier], now),
    }),
  };
}
