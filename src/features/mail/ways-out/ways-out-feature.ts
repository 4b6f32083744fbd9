import type { Endpoint } from '../../../api/endpoint.ts';
import type { Principal } from '../../../api/principal.ts';
import { requireWhole } from '../../../api/scopes.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { mayCall } from '../../../http/pipeline/authenticate.ts';
import type { SettingHistory } from '../../service/settings/setting-history.ts';
import { gate } from './gate.ts';
import { PodPolicies } from './pod-policy.ts';
import { type PodPolicyGiven, PodPolicySchema, podPolicyBody, podPolicyChange } from './pod-policy-schema.ts';
import { powerOf } from './power.ts';
import { powerRoutes } from './power-routes.ts';
import { WayPolicies } from './way-policy.ts';
import { wayPolicyRoutes } from './way-policy-routes.ts';
import { WAY_POLICIES } from './way-policy-table.ts';

/** What may leave an account, and by whose decision. Features that let something out ask its gate. */
export const waysOutFeature = feature('ways-out', (needs: FeatureContext & { settingHistory: SettingHistory }) => {
  const { database } = needs;
  const wayPolicies = new WayPolicies(needs.settingHistory);
  let endpoints: readonly Endpoint[] = [];
  const power = (principal: Principal) => powerOf(database, wayPolicies, principal, endpoints, mayCall);
  const ofPods = new PodPolicies(wayPolicies, needs.settingHistory);
  const podPolicies = {
    schema: PodPolicySchema,
    set: async (tx: Tx, platform: Principal, accountId: string, given: PodPolicyGiven | null, now: number) => {
      requireWhole(platform, 'pods:manage');
      const change = given === null ? { ways: null, outbound: null } : podPolicyChange(given);
      await ofPods.set(tx, platform, accountId, change, now);
    },
    show: async (reader: Reader, accountId: string) => podPolicyBody(await ofPods.get(reader, accountId)),
  };
  return {
    tables: [WAY_POLICIES],
    endpoints: [...wayPolicyRoutes(database, wayPolicies), ...powerRoutes(power)],
    attach: (_server, _ports, table) => {
      endpoints = table.endpoints;
    },
    secure: async (tx, securing) => {
      const [own, pods] = [await wayPolicies.secure(tx, securing), await ofPods.secure(tx, securing)];
      return { changes: [...(own.changes ?? []), ...(pods.changes ?? [])] };
    },
    provides: { gate, podPolicies },
  };
});
