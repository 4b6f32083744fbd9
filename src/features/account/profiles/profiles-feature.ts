import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Gate } from '../../../api/way-out.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { SettingHistory } from '../../service/settings/setting-history.ts';
import type { AddressRules } from '../addresses/address.ts';
import { secureAgentKeys, youngAgentKeys } from './agent-key.ts';
import { agentKeyRoutes } from './agent-key-routes.ts';
import { AGENT_KEYS } from './agent-key-table.ts';
import { PossessionRules } from './key-possession.ts';
import { createProfileRules, secureProfile } from './profile.ts';
import { profileRoutes } from './profile-routes.ts';

type Needs = FeatureContext & {
  addresses: AddressRules;
  gate: Gate;
  notices: Notices;
  settingHistory: SettingHistory;
};

/** Public profiles of agents and their signing keys. */
export const profilesFeature = feature('profiles', (needs: Needs) => {
  const { config, database, addresses, gate, notices, settingHistory: history, secrets, baseUrl } = needs;
  const { mailDomain, trust: trustEnabled } = config;
  const rules = createProfileRules({ reader: database, addresses, mailDomain, trustEnabled, history });
  const possession = new PossessionRules(secrets, baseUrl);
  return {
    tables: [AGENT_KEYS],
    endpoints: [...agentKeyRoutes(database, gate, possession, notices), ...profileRoutes(rules, gate, baseUrl)],
    secure: async (tx, securing) => {
      const [keys, profile] = [await secureAgentKeys(tx, securing), await secureProfile(history)(tx, securing)];
      return { changes: [...(keys.changes ?? []), ...(profile.changes ?? [])] };
    },
    recentlyAdded: youngAgentKeys,
  };
});
