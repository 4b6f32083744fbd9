import { exportOf } from '../../db/account-export.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { ACCOUNTS } from './account-data.ts';
import type { ShownPerson } from './account-people-schema.ts';
import { type AccountRouteDeps, accountRoutes } from './account-routes.ts';

type Needs = FeatureContext &
  Pick<AccountRouteDeps, 'activePrefix' | 'vaultRecoveryOf'> & {
    people: { list(reader: Reader, accountId: string): Promise<readonly ShownPerson[]> };
    storage: { used(reader: Reader, accountId: string): Promise<number> };
    addresses: { list(reader: Reader, accountId: string): Promise<readonly { address: string }[]> };
  };

/** Shows the account. */
export const accountsFeature = feature('accounts', (needs: Needs) => {
  const { database, activePrefix, vaultRecoveryOf, people, addresses, storage } = needs;
  return {
    exports: [exportOf({ table: 'accounts', columns: ACCOUNTS, key: ['id'], by: 'id' })],
    endpoints: accountRoutes({
      database,
      activePrefix,
      vaultRecoveryOf,
      storageUsed: (accountId) => storage.used(database, accountId),
      peopleOf: (accountId) => people.list(database, accountId),
      addressesOf: async (accountId) => (await addresses.list(database, accountId)).map(({ address }) => address),
    }),
  };
});
