import type { Notices } from '../../../api/account/removal-notices.ts';
import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import type { KeyRules } from '../keys/key.ts';
import type { CredentialEnded } from '../keys/named-key.ts';
import { SecureRules } from './account-lockdown.ts';
import { secureRoutes } from './secure-routes.ts';

type Needs = FeatureContext &
  Contributions & { keys: KeyRules; notices: Notices; credentials: { credentialEnded: CredentialEnded } };

/** Takes an account back from a thief. Features say what they end and take back in `secure`. */
export const secureFeature = feature('secure', ({ keys, notices, secureParts, events, credentials }: Needs) => {
  const { credentialEnded } = credentials;
  const secure = new SecureRules({ keys, notices, parts: secureParts, appendEvent: events.append, credentialEnded });
  return { endpoints: secureRoutes(secure), provides: { secure } };
});
