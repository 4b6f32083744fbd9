import { type FeatureContext, feature } from '../../feature.ts';
import type { Credentials } from '../login/credential-rules.ts';
import { type AccountRouteDeps, accountRoutes } from './account-routes.ts';
import { sessionRoutes } from './session-routes.ts';

type Needs = FeatureContext & {
  credentials: Credentials;
  activePrefix: AccountRouteDeps['activePrefix'];
  requireAddressAuthority: AccountRouteDeps['mayChangeEmail'];
};

/** Shows the account and sets the email addresses of its people. */
export const accountsFeature = feature(
  'accounts',
  ({ database, credentials, activePrefix, requireAddressAuthority }: Needs) => ({
    endpoints: [
      ...accountRoutes({
        database,
        mayChangeEmail: requireAddressAuthority,
        emailChanged: credentials.endOthers,
        activePrefix,
      }),
      ...sessionRoutes({
        sessions: credentials.sessions,
        end: (tx, principal, id, now) =>
          credentials.endSessionById(tx, { accountId: principal.accountId, id, now }, async ({ operator }) => {
            // An agent whose operator took the authority must not lock the operator out.
            if (operator) await requireAddressAuthority(tx, principal);
          }),
      }),
    ],
  }),
);
