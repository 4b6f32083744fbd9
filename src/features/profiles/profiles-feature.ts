import { type FeatureContext, feature } from '../../feature.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { agentKeyRoutes } from './agent-key-routes.ts';
import { PossessionRules } from './possession-rules.ts';
import { profileRoutes } from './profile-routes.ts';
import { createProfileRules } from './profile-rules.ts';

type Needs = FeatureContext & { addresses: AddressRules };

/** Public profiles of agents and their signing keys. */
export const profilesFeature = feature('profiles', ({ config, database, addresses, secrets, baseUrl }: Needs) => {
  const { mailDomain, trust: trustEnabled } = config;
  const rules = createProfileRules({ reader: database, addresses, mailDomain, trustEnabled });
  return {
    endpoints: [
      ...agentKeyRoutes(database, new PossessionRules(secrets, baseUrl)),
      ...profileRoutes({ rules, baseUrl }),
    ],
  };
});
