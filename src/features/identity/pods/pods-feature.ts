import type { Tx } from '../../../api/transaction.ts';
import { exportOf } from '../../../db/account-export.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { KeyRules } from '../../account/keys/key.ts';
import type { SecureRules } from '../../account/lockdown/account-lockdown.ts';
import type { PeopleRules } from '../../account/people/people-changes.ts';
import { PodRules } from './pod.ts';
import { podRoutes } from './pod-routes.ts';
import { PODS } from './pod-table.ts';

type Needs = FeatureContext & {
  keys: KeyRules;
  secure: SecureRules;
  people: PeopleRules;
  credentials: { accountChanged(tx: Tx, accountId: string): void };
};

/** Pods: the tenants of a platform, each an account of its own. */
export const podsFeature = feature('pods', ({ database, keys, secure, people, credentials }: Needs) => {
  const rules = new PodRules({ keys, secure, people, accountChanged: credentials.accountChanged });
  return {
    exports: [exportOf({ table: 'pods', columns: PODS, key: ['pod_id'], by: 'parent_account_id' })],
    tables: [PODS],
    endpoints: podRoutes({ rules, database, people }),
    secure: rules.secure,
  };
});
