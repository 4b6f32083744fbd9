import { type FeatureContext, feature } from '../../feature.ts';
import { keyListRoutes } from './key-list-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { type AdmitSignUp, activePrefixOf, KeyRules, type KeysChanged } from './key-rules.ts';
import { namedKeyRoutes } from './named-key-routes.ts';
import { type CredentialEnded, expireNamedKeys, NamedKeyRules } from './named-key-rules.ts';

type Needs = FeatureContext & {
  admit: AdmitSignUp;
  credentials: {
    endOthers: KeysChanged;
    credentialEnded: CredentialEnded;
    lastKeyUse(keyId: string): number | undefined;
  };
};

/** Creates, rotates and lists API keys, backup keys and named keys. */
export const keysFeature = feature('keys', ({ database, limits, events, jobs, credentials, admit, hashIp }: Needs) => {
  const keys = new KeyRules({
    limits,
    appendEvent: events.append,
    keysChanged: credentials.endOthers,
    admit,
    enqueueJob: jobs.enqueue,
  });
  const named = new NamedKeyRules(credentials.credentialEnded);
  return {
    endpoints: [
      ...keyRoutes({ rules: keys, limits, hashIp }),
      ...keyListRoutes({ rules: keys, database, lastUse: credentials.lastKeyUse }),
      ...namedKeyRoutes({ rules: named }),
    ],
    expire: expireNamedKeys,
    provides: { keys, activePrefix: (accountId: string) => activePrefixOf(database, accountId) },
  };
});
