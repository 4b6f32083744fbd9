import { type FeatureContext, feature } from '../../feature.ts';
import type { Notices } from '../../kernel/notices.ts';
import type { ListPublicKeys } from '../../kernel/public-keys.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { agentKeyRoutes } from './agent-key-routes.ts';
import { secureAgentKeys, youngAgentKeys } from './agent-key-rules.ts';
import { profileRoutes } from './profile-routes.ts';
import { createProfileRules } from './profile-rules.ts';

type Needs = FeatureContext & { addresses: AddressRules; keyring: { list: ListPublicKeys }; notices: Notices };

/** Public profiles of agents and their signing keys. */
export const profilesFeature = feature(
  'profiles',
  ({ config, database, addresses, keyring, notices, baseUrl }: Needs) => {
    const { mailDomain, trust: trustEnabled } = config;
    const rules = createProfileRules({ reader: database, addresses, mailDomain, trustEnabled });
    return {
      endpoints: [...agentKeyRoutes(database, notices), ...profileRoutes({ rules, listKeys: keyring.list, baseUrl })],
      secure: secureAgentKeys,
      young: youngAgentKeys,
    };
  },
);
