import { type FeatureContext, feature } from '../../../feature.ts';
import type { AccountDeps } from './account-left.ts';
import { accountRoutes } from './account-routes.ts';
import { ACCOUNTS } from './account-table.ts';

/** Shows the account. */
export const accountsFeature = feature('accounts', (deps: FeatureContext & AccountDeps) => ({
  tables: [ACCOUNTS],
  endpoints: accountRoutes(deps),
}));
