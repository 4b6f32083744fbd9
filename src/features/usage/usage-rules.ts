import type { Limits, Tier } from '../../kernel/limits.ts';
import type { CapPeriod } from '../../kernel/period.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { countAddresses } from '../addresses/address-rules.ts';
import { isSpentUp, readBudgetAt } from '../budgets/budget-rules.ts';
import { countEventsOf } from '../calendar/event-rules.ts';
import type { RequestMeter } from '../limits/meter-rules.ts';
import { type EmailQuota, readEmailQuota } from '../limits/quota-rules.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';
import { countPods } from '../pods/pod-rules.ts';
import { countStacks } from '../stacks/stack-rules.ts';
import { readCounts as readVaultCounts } from '../vault/vault-rules.ts';

export interface Usage {
  requests: { used: number; limit: number };
  stacks: { used: number; limit: number };
  pods: { used: number; limit: number };
  emails: EmailQuota;
}

/** What an account holds by itself, a pod as well as a platform. */
export interface Holdings {
  addresses: { used: number; limit: number };
  /** A limit of null is none. */
  vaultKeys: { used: number; limit: number | null };
  calendarEvents: { used: number; limit: number };
  /** Atomic USDC, and whether a capped period has nothing left. */
  budget: { spent: Record<CapPeriod, number>; isSpentUp: boolean };
}

export interface UsageRules {
  /** What is used of the limits of `now`'s UTC day and hour; of the platform's for a pod. */
  usage(quotaAccountId: string, tier: Tier, now: number): Promise<Usage>;
  holdings(accountId: string, tier: Tier, now: number): Promise<Holdings>;
}

/** What payments cost, and whether any is taken. */
export type Prices = Pick<PaymentRules, 'acceptance' | 'prices'>;

export function createUsageRules(limits: Limits, meter: RequestMeter, database: Reader): UsageRules {
  return {
    usage: async (quotaAccountId, tier, now) => ({
      requests: { used: await meter.used(quotaAccountId, now), limit: limits[tier].requests_per_day },
      stacks: { used: await countStacks(database, quotaAccountId), limit: limits[tier].stacks },
      pods: { used: await countPods(database, quotaAccountId), limit: limits[tier].pods },
      emails: await readEmailQuota(database, quotaAccountId, limits[tier], now),
    }),
    holdings: async (accountId, tier, now) => {
      const { addresses, vault_keys: keys, calendar_events: events } = limits[tier];
      const vault = await readVaultCounts(database, accountId);
      const budget = await readBudgetAt(database, accountId, now);
      const { daily, weekly, monthly } = budget.spend;
      return {
        addresses: { used: await countAddresses(database, accountId), limit: addresses },
        vaultKeys: { used: vault.keys, limit: keys === null ? null : keys + vault.bought },
        calendarEvents: { used: await countEventsOf(database, accountId), limit: events },
        budget: {
          spent: { daily: daily.spent, weekly: weekly.spent, monthly: monthly.spent },
          isSpentUp: isSpentUp(budget),
        },
      };
    },
  };
}
