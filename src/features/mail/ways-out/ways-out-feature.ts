import { type FeatureContext, feature } from '../../../feature.ts';
import type { SettingHistory } from '../../service/settings/setting-history.ts';
import { gate } from './gate.ts';
import { WayPolicies } from './way-policy.ts';
import { wayPolicyRoutes } from './way-policy-routes.ts';
import { WAY_POLICIES } from './way-policy-table.ts';

/** What may leave an account, and by whose decision. Features that let something out ask its gate. */
export const waysOutFeature = feature('ways-out', (needs: FeatureContext & { settingHistory: SettingHistory }) => {
  const wayPolicies = new WayPolicies(needs.settingHistory);
  return {
    tables: [WAY_POLICIES],
    endpoints: wayPolicyRoutes(needs.database, wayPolicies),
    secure: wayPolicies.secure,
    provides: { gate, wayPolicies },
  };
});
