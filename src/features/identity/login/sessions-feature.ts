import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { Credentials } from './authenticator.ts';
import { sessionsOf } from './session.ts';
import { sessionRoutes } from './session-routes.ts';

type Needs = FeatureContext & {
  credentials: Credentials;
  requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
};

/** Lists the open sessions of an account and ends them. */
export const sessionsFeature = feature('sessions', ({ database, credentials, requireAddressAuthority }: Needs) => ({
  endpoints: sessionRoutes({
    sessions: (accountId, page, now) => sessionsOf(database, accountId, page, now),
    end: (tx, principal, id, now) =>
      credentials.endSessionById(tx, { principal, id, now }, async ({ operator }) => {
        // An agent whose operator took the authority must not lock the operator out.
        if (operator) await requireAddressAuthority(tx, principal);
      }),
  }),
}));
