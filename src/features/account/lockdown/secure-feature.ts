import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import { type SecureDeps, SecureRules } from './account-lockdown.ts';
import { secureRoutes } from './secure-routes.ts';

type Needs = FeatureContext & Contributions & Pick<SecureDeps, 'keys' | 'notices' | 'credentials'>;

/** Takes an account back from a thief. Features say what they end and take back in `secure`. */
export const secureFeature = feature('secure', (needs: Needs) => {
  const secure = new SecureRules({ ...needs, appendEvent: needs.events.append });
  return { endpoints: secureRoutes(secure), provides: { secure } };
});
