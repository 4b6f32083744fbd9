import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import { KEY_HISTORY } from './rotation-data.ts';
import { rotationRoutes } from './rotation-routes.ts';
import type { AddressPort } from './rotation-rules.ts';

type Needs = FeatureContext & { addresses: AddressPort };

/** End-to-end encryption: the public key that an account's mail is encrypted to. */
export const e2eFeature = feature('e2e', ({ addresses }: Needs) => ({
  exports: [exportOf({ table: 'e2e_keys', columns: KEY_HISTORY, key: ['n'] })],
  erases: [rowsOf('e2e_keys', ['account_id', 'public_key']), rowsOf('e2e_accounts', ['account_id'])],
  endpoints: rotationRoutes(addresses),
}));
