import type { Reader } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { readEmailQuota } from '../../service/limits/email-quota.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import type { ShownPerson } from './account-people-schema.ts';
import { type AccountRouteDeps, accountRoutes } from './account-routes.ts';
import { ACCOUNTS } from './account-table.ts';

type Needs = FeatureContext &
  Pick<AccountRouteDeps, 'activePrefix' | 'vaultRecoveryOf'> & {
    people: { list(reader: Reader, accountId: string): Promise<readonly ShownPerson[]> };
    meter: Pick<RequestMeter, 'used'>;
    storage: { used(reader: Reader, accountId: string): Promise<number> };
    addresses: { list(reader: Reader, accountId: string): Promise<readonly { address: string }[]> };
  };

/** Shows the account. */
export const accountsFeature = feature('accounts', (needs: Needs) => {
  const { database, activePrefix, vaultRecoveryOf, people, addresses, storage, meter } = needs;
  return {
    tables: [ACCOUNTS],
    endpoints: accountRoutes({
      database,
      activePrefix,
      vaultRecoveryOf,
      storageUsed: (accountId) => storage.used(database, accountId),
      left: async ({ quotaAccountId, limits }, now) => {
        const emails = await readEmailQuota(database, quotaAccountId, limits, now);
        const requests = limits.requests_per_day - (await meter.used(quotaAccountId, now));
        return {
          requests_per_day: Math.max(0, requests),
          emails_per_day: emails.dailyRemaining,
          emails_per_hour: emails.hourlyRemaining,
        };
      },
      peopleOf: (accountId) => people.list(database, accountId),
      addressesOf: async (accountId) => (await addresses.list(database, accountId)).map(({ address }) => address),
    }),
  };
});
