import { type FeatureContext, feature } from '../../feature.ts';
import { keyListRoutes } from './key-list-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { type AdmitSignUp, activePrefixOf, type EndOfAccount, KeyRules, type KeysChanged } from './key-rules.ts';
import { namedKeyRoutes } from './named-key-routes.ts';
import { type CredentialEnded, type EndOfKey, expireNamedKeys, NamedKeyRules } from './named-key-rules.ts';

type Needs = FeatureContext & {
  admit: AdmitSignUp;
  credentials: {
    endOthers: KeysChanged;
    credentialEnded: CredentialEnded;
    lastKeyUse(keyId: string): number | undefined;
  };
  delegations: { endOfKey: EndOfKey; endOfAccount: EndOfAccount };
};

/** Creates, rotates and lists API keys, backup keys and named keys. */
export const keysFeature = feature('keys', (needs: Needs) => {
  const { database, limits, events, credentials, delegations, admit, hashIp } = needs;
  const keys = new KeyRules(limits, events.append, credentials.endOthers, admit, delegations.endOfAccount);
  const named = new NamedKeyRules(credentials.credentialEnded, delegations.endOfKey);
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
