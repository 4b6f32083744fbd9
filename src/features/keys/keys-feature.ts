import { type FeatureContext, feature } from '../../feature.ts';
import { keyRoutes } from './key-routes.ts';
import { type AdmitSignUp, activePrefixOf, KeyRules, type KeysChanged } from './key-rules.ts';

type Needs = FeatureContext & { credentials: { endOthers: KeysChanged }; admit: AdmitSignUp };

/** Creates, rotates and lists API keys and backup keys. */
export const keysFeature = feature('keys', ({ database, limits, events, credentials, admit, hashIp }: Needs) => {
  const keys = new KeyRules(limits, events.append, credentials.endOthers, admit);
  return {
    endpoints: keyRoutes({ rules: keys, database, limits, hashIp }),
    provides: { keys, activePrefix: (accountId: string) => activePrefixOf(database, accountId) },
  };
});
