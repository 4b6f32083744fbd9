import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import { BackupRules, youngBackup } from './backup-key.ts';
import { backupRoutes } from './backup-key-routes.ts';
import { waitingKeys } from './expiring-keys.ts';
import { activePrefixOf, type KeyDeps, KeyRules } from './key.ts';
import { KEY_DAYS } from './key-day-table.ts';
import { keyListRoutes } from './key-list-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { API_KEYS } from './key-table.ts';
import { expireKeyDays } from './key-use.ts';
import { type AddressNames, expireNamedKeys, type KeyDelegations, NamedKeyRules } from './named-key.ts';
import { namedKeyRoutes } from './named-key-routes.ts';
import { NAMED_KEY_SECRETS, NAMED_KEYS } from './named-key-table.ts';

type Needs = FeatureContext &
  Contributions &
  Pick<KeyDeps, 'admit' | 'notices' | 'credentials'> & { addresses: AddressNames; delegations: KeyDelegations };

/** Creates, rotates and lists API keys, backup keys and named keys. */
export const keysFeature = feature('keys', (needs: Needs) => {
  const { database, events, jobs, credentials, addresses } = needs;
  const deps: KeyDeps = { ...needs, appendEvent: events.append, enqueueJob: jobs.enqueue };
  const keys = new KeyRules(deps);
  const backups = new BackupRules(needs.notices, credentials.credentialEnded);
  const named = new NamedKeyRules(credentials.credentialEnded, addresses, needs.delegations);
  addresses.onReleased((tx, accountId, address) => named.addressReleased(tx, accountId, address));
  return {
    tables: [API_KEYS, KEY_DAYS, NAMED_KEY_SECRETS, NAMED_KEYS],
    endpoints: [
      ...keyRoutes(keys, deps),
      ...backupRoutes(backups),
      ...keyListRoutes(keys, deps),
      ...namedKeyRoutes(named),
    ],
    expire: async (tx, now) => {
      await expireNamedKeys(tx, now);
      await expireKeyDays(tx, now);
    },
    notices: { backup_key: backups.handler },
    waiting: { expiring_key: { list: waitingKeys } },
    recentlyAdded: youngBackup,
    provides: { keys, namedKeys: named, activePrefix: (accountId: string) => activePrefixOf(database, accountId) },
  };
});
