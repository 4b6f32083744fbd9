import { exportOf } from '../../../db/account-export.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { type PodDeps, PodRules } from './pod.ts';
import { podRoutes } from './pod-routes.ts';
import { PODS } from './pod-table.ts';

/** Pods: the tenants of a platform, each an account of its own. */
export const podsFeature = feature('pods', (deps: FeatureContext & PodDeps) => {
  const rules = new PodRules(deps);
  return {
    exports: [exportOf({ table: 'pods', columns: PODS, key: ['pod_id'], by: 'parent_account_id' })],
    tables: [PODS],
    endpoints: podRoutes(rules, deps),
    secure: rules.secure,
  };
});
