import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Notices } from '../../kernel/notices.ts';
import { type AddressPort, KeyFactors } from './key-factor-rules.ts';
import { KEY_HISTORY } from './rotation-data.ts';
import { rotationRoutes } from './rotation-routes.ts';

type Needs = FeatureContext & { addresses: AddressPort; notices: Notices };

/** End-to-end encryption: the public key that an account's mail is encrypted to. */
export const e2eFeature = feature('e2e', ({ addresses, notices }: Needs) => {
  const factors = new KeyFactors(addresses, notices);
  return {
    exports: [exportOf({ table: 'e2e_keys', columns: KEY_HISTORY, key: ['n'] })],
    erases: [rowsOf('e2e_keys', ['account_id', 'public_key']), rowsOf('e2e_accounts', ['account_id'])],
    endpoints: rotationRoutes({ addresses, notices, factors }),
    notices: { e2e_key: factors.handler },
    secure: factors.secure,
    young: factors.young,
  };
});
