import { type FeatureContext, feature } from '../../feature.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { KeyRules } from '../keys/key-rules.ts';
import { podRoutes } from './pod-routes.ts';
import { createPodRules } from './pod-rules.ts';

type Needs = FeatureContext & { keys: KeyRules; credentials: { accountChanged(tx: Tx, accountId: string): void } };

/** The tenants of a platform. */
export const podsFeature = feature('pods', ({ database, limits, keys, credentials }: Needs) => ({
  endpoints: podRoutes({ rules: createPodRules(limits, keys, credentials.accountChanged), database }),
}));
