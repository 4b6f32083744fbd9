import { exportOf } from '../../../db/account-export.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { type KeyFactorDeps, KeyFactors } from './key-factor.ts';
import { rotationRoutes } from './rotation-routes.ts';
import { ACCOUNT_ENCRYPTION, KEY_HISTORY } from './rotation-table.ts';

/** End-to-end encryption: the public key that an account's mail is encrypted to. */
export const e2eFeature = feature('e2e', (deps: FeatureContext & KeyFactorDeps) => {
  const factors = new KeyFactors(deps);
  return {
    tables: [KEY_HISTORY, ACCOUNT_ENCRYPTION],
    exports: [exportOf({ table: 'e2e_keys', columns: KEY_HISTORY, key: ['n'] })],
    endpoints: rotationRoutes(factors, deps),
    notices: { e2e_key: factors.handler },
    secure: factors.secure,
    recentlyAdded: factors.young,
  };
});
