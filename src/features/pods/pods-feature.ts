import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { KeyRules } from '../keys/key-rules.ts';
import type { PeopleRules } from '../people/people-rules.ts';
import type { SecureRules } from '../secure/secure-rules.ts';
import { PODS } from './pod-data.ts';
import { podRoutes } from './pod-routes.ts';
import { PodRules } from './pod-rules.ts';

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
    erases: [rowsOf('pods', ['pod_id']), rowsOf('pod_counts', ['account_id'])],
    endpoints: podRoutes({ rules, database, people }),
    secure: rules.secure,
  };
});
