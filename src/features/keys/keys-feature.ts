import { type FeatureContext, feature } from '../../feature.ts';
import { keyRoutes } from './key-routes.ts';
import { activePrefixOf, createKeyRules, type KeysChanged } from './key-rules.ts';

type Needs = FeatureContext & { credentials: { endOthers: KeysChanged } };

/** API keys: sign-up, rotation, backup keys. */
export const keysFeature = feature('keys', ({ database, limits, events, credentials, hashIp }: Needs) => {
  const keys = createKeyRules(limits, events.append, credentials.endOthers);
  return {
    endpoints: keyRoutes({ rules: keys, database, limits, hashIp }),
    provides: { keys, activePrefix: (accountId: string) => activePrefixOf(database, accountId) },
  };
});
