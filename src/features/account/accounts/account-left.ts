import type { WaitingCounts } from '../../../api/account/waiting.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { readEmailQuota } from '../../service/limits/email-quota.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import type { ShownPerson } from './account-people-schema.ts';

/** What showing the account needs. */
export interface AccountDeps {
  database: Reader;
  /** Returns the prefix of the account's active key, or null without one. */
  activePrefix(accountId: string): Promise<string | null>;
  /** Lists the addresses of people, oldest first. */
  people: { list(reader: Reader, accountId: string): Promise<readonly ShownPerson[]> };
  /** Lists the mail addresses of the account, oldest first. */
  addresses: { list(reader: Reader, accountId: string): Promise<readonly { address: string }[]> };
  /** Returns the bytes that the account stores. */
  storage: { used(reader: Reader, accountId: string): Promise<number> };
  meter: Pick<RequestMeter, 'used'>;
  whatWaits: { count(principal: Principal, now: number): Promise<WaitingCounts> };
  /** Returns the address that recovers the vault. */
  vaultRecoveryOf(accountId: string): Promise<string | null>;
}

/** Returns what is left of the limits that count by time. */
export async function readLeft({ database, meter }: AccountDeps, { quotaAccountId, limits }: Principal, now: number) {
  const emails = await readEmailQuota(database, quotaAccountId, limits, now);
  const requests = limits.requests_per_day - (await meter.used(quotaAccountId, now));
  return {
    requests_per_day: Math.max(0, requests),
    emails_per_day: emails.dailyRemaining,
    emails_per_hour: emails.hourlyRemaining,
  };
}
