import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tx } from '../../kernel/transaction.ts';
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
    erases: [rowsOf('people', ['id'])],
    endpoints: accountRoutes({
      database,
      mayChangeEmail: requireAddressAuthority,
      emailChanged: credentials.endOthers,
      activePrefix,
    }),
  }),
);
