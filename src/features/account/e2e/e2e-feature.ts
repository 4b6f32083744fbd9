import type { Notices } from '../../../api/account/removal-notices.ts';
import { exportOf } from '../../../db/account-export.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { type AddressPort, KeyFactors } from './key-factor.ts';
import { rotationRoutes } from './rotation-routes.ts';
import { ACCOUNT_ENCRYPTION, KEY_HISTORY } from './rotation-table.ts';

type Needs = FeatureContext & { addresses: AddressPort; notices: Notices };

/** End-to-end encryption: the public key that an account's mail is encrypted to. */
export const e2eFeature = feature('e2e', ({ addresses, notices }: Needs) => {
  const factors = new KeyFactors(addresses, notices);
  return {
    tables: [KEY_HISTORY, ACCOUNT_ENCRYPTION],
    exports: [exportOf({ table: 'e2e_keys', columns: KEY_HISTORY, key: ['n'] })],
    endpoints: rotationRoutes({ addresses, notices, factors }),
    notices: { e2e_key: factors.handler },
    secure: factors.secure,
    recentlyAdded: factors.young,
  };
});
