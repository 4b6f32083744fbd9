import type { Notices } from '../../../api/account/removal-notices.ts';
import { exportOf } from '../../../db/account-export.ts';
import { rowsOf } from '../../../db/account-rows.ts';
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
import { NAMED_KEYS } from './named-key-table.ts';

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
    ...{ limits, admit, notices },
    appendEvent: events.append,
    keysChanged: credentials.endOthers,
    enqueueJob: jobs.enqueue,
  });
  const backups = new BackupRules(notices, credentials.credentialEnded);
  const named = new NamedKeyRules(credentials.credentialEnded, addresses, delegations);
  addresses.onReleased((tx, accountId, address) => named.addressReleased(tx, accountId, address));
  return {
    exports: [
      exportOf({ table: 'api_keys', columns: API_KEYS, key: ['hash'], omit: ['hash', 'lineage'] }),
      exportOf({ table: 'named_keys', columns: NAMED_KEYS, key: ['id'] }),
    ],
    erases: [
      rowsOf('api_keys', ['hash']),
      rowsOf('named_key_secrets', ['hash'], { by: 'key_id', through: { table: 'named_keys', id: 'id' } }),
      rowsOf('named_keys', ['id']),
    ],
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
