import type { Limits, Tier } from '../../../api/limits.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { type CapPeriod, DAY_MS, utcDay } from '../../../base/period.ts';
import { countAddresses } from '../../account/addresses/address.ts';
import { countStacks } from '../../account/domains/stack.ts';
import { countEventsOf } from '../../calendar/calendar-event.ts';
import { podSlots, readPod } from '../../identity/pods/pod.ts';
import type { StorageRules } from '../../mail/storage/storage-quota.ts';
import { isSpentUp, readBudgetAt } from '../../money/budget.ts';
import { type EmailQuota, emailsByDay, readEmailQuota, USAGE_DAYS } from '../../service/limits/email-quota.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import type { PaymentRules } from '../../service/payments/payment.ts';
import { readCounts as readVaultCounts } from '../../vault/entries/vault-entry.ts';

export { USAGE_DAYS };

interface Counted {
  used: number;
  limit: number;
}

export interface Usage {
  requests: Counted;
  stacks: Counted;
  pods: Counted;
  emails: EmailQuota;
}

type Holder = Pick<Principal, 'accountId' | 'limits' | 'addresses'>;

/** What an account holds itself, whether it is a pod or a platform. */
export interface Holdings {
  addresses: Counted;
  /** A limit of null means no limit. */
  vaultKeys: { used: number; limit: number | null };
  calendarEvents: Counted;
  /** Bytes. */
  storage: Counted;
  /** Atomic USDC, and whether any cap is used up. */
  budget: { spent: Record<CapPeriod, number>; isSpentUp: boolean };
}

export interface UsageDeps {
  limits: Limits;
  database: Reader;
  meter: RequestMeter;
  storage: Pick<StorageRules, 'used'>;
  /** Prices, and whether the service takes payments. */
  payments: Pick<PaymentRules, 'acceptance' | 'prices'>;
}

export class UsageRules {
  readonly #deps: UsageDeps;

  constructor(deps: UsageDeps) {
    this.#deps = deps;
  }

  /** Reads what is used of the quotas of the UTC day and hour. For a pod, pass the account and tier of its platform. */
  async usage(quotaAccountId: string, tier: Tier, now: number): Promise<Usage> {
    const { database, meter } = this.#deps;
    const limits = this.#deps.limits[tier];
    return {
      requests: { used: await meter.used(quotaAccountId, now), limit: limits.requests_per_day },
      stacks: { used: await countStacks(database, quotaAccountId), limit: limits.stacks },
      pods: { used: await podSlots.used(database, quotaAccountId), limit: limits.pods },
      emails: await readEmailQuota(database, quotaAccountId, limits, now),
    };
  }

  /** Reads the requests and emails of the last days, oldest first. For a pod, pass the account of its platform. */
  async days(quotaAccountId: string, now: number): Promise<{ day: string; requests: number; emails: number }[]> {
    const days = Array.from({ length: USAGE_DAYS }, (_, i) => utcDay(now - (USAGE_DAYS - 1 - i) * DAY_MS));
    const { database, meter } = this.#deps;
    const requests = await meter.byDay(quotaAccountId, now);
    const emails = await emailsByDay(database, quotaAccountId, now);
    return days.map((day) => ({ day, requests: requests.get(day) ?? 0, emails: emails.get(day) ?? 0 }));
  }

  /**
   * Reads what a pod holds and used, for its platform. Its requests count with the platform's, and alone only under a
   * separate limit for each day. @throws ApiError `not_found`
   */
  async pod(principal: Principal, podId: string, now: number): Promise<Holdings & { requests: Counted | null }> {
    const { database, meter } = this.#deps;
    const { accountId, rateLimits } = await readPod(database, principal, podId);
    const daily = rateLimits?.day ?? null;
    const requests = daily === null ? null : { used: await meter.used(accountId, now), limit: daily };
    return { ...(await this.holdings({ accountId, limits: principal.limits, addresses: null }, now)), requests };
  }

  /** Reads what an account holds itself. */
  async holdings({ accountId, limits, addresses }: Holder, now: number): Promise<Holdings> {
    const { database, storage } = this.#deps;
    const vault = await readVaultCounts(database, accountId);
    const budget = await readBudgetAt(database, accountId, now);
    const { daily, weekly, monthly } = budget.spend;
    const keys = limits.vault_keys;
    return {
      // A credential that is limited to addresses must not learn that there are others.
      addresses: { used: addresses?.length ?? (await countAddresses(database, accountId)), limit: limits.addresses },
      vaultKeys: { used: vault.keys, limit: keys === null ? null : keys + vault.bought },
      calendarEvents: { used: await countEventsOf(database, accountId), limit: limits.calendar_events },
      storage: { used: await storage.used(database, accountId), limit: limits.storage_bytes },
      budget: {
        spent: { daily: daily.spent, weekly: weekly.spent, monthly: monthly.spent },
        isSpentUp: isSpentUp(budget),
      },
    };
  }
}
