import type { Notices } from '../../../api/account/removal-notices.ts';
import { type FeatureContext, feature, type Gathered } from '../../../feature.ts';
import { BackupRules, youngBackup } from './backup-key.ts';
import { backupRoutes } from './backup-key-routes.ts';
import { type AdmitSignUp, activePrefixOf, KeyRules, type KeysChanged } from './key.ts';
import { keyListRoutes } from './key-list-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { API_KEYS } from './key-table.ts';
import {
  type AddressNames,
  type CredentialEnded,
  expireNamedKeys,
  type KeyDelegations,
  NamedKeyRules,
} from './named-key.ts';
import { namedKeyRoutes } from './named-key-routes.ts';
import { NAMED_KEY_SECRETS, NAMED_KEYS } from './named-key-table.ts';

type Needs = FeatureContext &
  Gathered & {
    addresses: AddressNames;
    notices: Notices;
    admit: AdmitSignUp;
    credentials: {
      endOthers: KeysChanged;
      credentialEnded: CredentialEnded;
      lastKeyUse(keyId: string): number | undefined;
    };
    delegations: KeyDelegations;
  };

/** Creates, rotates and lists API keys, backup keys and named keys. */
export const keysFeature = feature('keys', (needs: Needs) => {
  const {
    database,
    limits,
    events,
    jobs,
    credentials,
    delegations,
    addresses,
    admit,
    notices,
    networksOf,
    youngParts,
  } = needs;
  const keys = new KeyRules({
    limits,
    admit,
    notices,
    appendEvent: events.append,
    keysChanged: credentials.endOthers,
    enqueueJob: jobs.enqueue,
  });
  const backups = new BackupRules(notices, credentials.credentialEnded);
  const named = new NamedKeyRules(credentials.credentialEnded, addresses, delegations);
  addresses.onReleased((tx, accountId, address) => named.addressReleased(tx, accountId, address));
  return {
    tables: [API_KEYS, NAMED_KEY_SECRETS, NAMED_KEYS],
    endpoints: [
      ...keyRoutes({ rules: keys, limits, networksOf, youngParts }),
      ...backupRoutes(backups),
      ...keyListRoutes({ rules: keys, database, lastUse: credentials.lastKeyUse }),
      ...namedKeyRoutes({ rules: named }),
    ],
    expire: expireNamedKeys,
    notices: { backup_key: backups.handler },
    young: youngBackup,
    provides: { keys, namedKeys: named, activePrefix: (accountId: string) => activePrefixOf(database, accountId) },
  };
});
