import { type FeatureContext, feature, type Gathered } from '../../feature.ts';
import type { Notices } from '../../kernel/notices.ts';
import { backupRoutes } from './backup-routes.ts';
import { BackupRules, youngBackup } from './backup-rules.ts';
import { keyListRoutes } from './key-list-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { type AdmitSignUp, activePrefixOf, KeyRules, type KeysChanged } from './key-rules.ts';
import { namedKeyRoutes } from './named-key-routes.ts';
import { type CredentialEnded, expireNamedKeys, NamedKeyRules } from './named-key-rules.ts';

type Needs = FeatureContext &
  Gathered & {
    notices: Notices;
    admit: AdmitSignUp;
    credentials: {
      endOthers: KeysChanged;
      credentialEnded: CredentialEnded;
      lastKeyUse(keyId: string): number | undefined;
    };
  };

/** Creates, rotates and lists API keys, backup keys and named keys. */
export const keysFeature = feature('keys', (needs: Needs) => {
  const { database, limits, events, jobs, credentials, admit, notices, hashIp, youngParts } = needs;
  const keys = new KeyRules({
    ...{ limits, admit, notices },
    appendEvent: events.append,
    keysChanged: credentials.endOthers,
    enqueueJob: jobs.enqueue,
  });
  const backups = new BackupRules(notices, credentials.credentialEnded);
  const named = new NamedKeyRules(credentials.credentialEnded);
  return {
    endpoints: [
      ...keyRoutes({ rules: keys, limits, hashIp, youngParts }),
      ...backupRoutes(backups),
      ...keyListRoutes({ rules: keys, database, lastUse: credentials.lastKeyUse }),
      ...namedKeyRoutes({ rules: named }),
    ],
    expire: expireNamedKeys,
    notices: { backup_key: backups.handler },
    young: youngBackup,
    provides: { keys, activePrefix: (accountId: string) => activePrefixOf(database, accountId) },
  };
});
