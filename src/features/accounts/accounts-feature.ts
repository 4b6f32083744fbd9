import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { PEOPLE } from '../people/person-data.ts';
import { ACCOUNTS } from './account-data.ts';
import { type AccountRouteDeps, accountRoutes } from './account-routes.ts';

type Needs = FeatureContext & {
  credentials: { endOthers(tx: Tx, principal: Principal): Promise<void> };
  activePrefix: AccountRouteDeps['activePrefix'];
  requireAddressAuthority: AccountRouteDeps['mayChangeEmail'];
};

/** Shows the account and sets the email addresses of its people. */
export const accountsFeature = feature(
  'accounts',
  ({ database, credentials, activePrefix, requireAddressAuthority }: Needs) => ({
    exports: [
      exportOf({ table: 'accounts', columns: ACCOUNTS, key: ['id'], by: 'id' }),
      exportOf({ table: 'people', columns: PEOPLE, key: ['id'] }),
    ],
    erases: [rowsOf('people', ['id'])],
    endpoints: accountRoutes({
      database,
      mayChangeEmail: requireAddressAuthority,
      emailChanged: credentials.endOthers,
      activePrefix,
    }),
  }),
);
