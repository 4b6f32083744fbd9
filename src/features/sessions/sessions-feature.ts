import { type FeatureContext, feature } from '../../feature.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { Credentials } from '../login/credential-rules.ts';
import { sessionRoutes } from './session-routes.ts';

type Needs = FeatureContext & {
  credentials: Credentials;
  requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
};

/** Lists the open sessions of an account and ends them. */
export const sessionsFeature = feature('sessions', ({ credentials, requireAddressAuthority }: Needs) => ({
  endpoints: sessionRoutes({
    sessions: credentials.sessions,
    end: (tx, principal, id, now) =>
      credentials.endSessionById(tx, { accountId: principal.accountId, id, now }, async ({ operator }) => {
        // An agent whose operator took the authority must not lock the operator out.
        if (operator) await requireAddressAuthority(tx, principal);
      }),
  }),
}));
