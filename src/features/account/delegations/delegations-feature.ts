import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { AccessTokenRules } from './access-token.ts';
import { DelegationRules, expireDelegations, youngDelegations } from './delegation.ts';
import { delegationRoutes } from './delegation-routes.ts';
import { ACCESS_TOKENS, DELEGATION_PARTIES, DELEGATIONS } from './delegation-table.ts';
import { tokenExchange } from './token-exchange.ts';

type Needs = FeatureContext & {
  credentials: {
    authenticate(token: string, now: number): Promise<Principal | null>;
    confirm(tx: Tx, principal: Principal): Promise<void>;
    credentialEnded(tx: Tx, accountId: string): void;
  };
};

/** Authority that one account gives another for a while, and the access tokens with which the other acts. */
export const delegationsFeature = feature('delegations', (needs: Needs) => {
  const { database, limits, events, credentials, baseUrl } = needs;
  const { authenticate, confirm, credentialEnded } = credentials;
  const deps = { database, limits, appendEvent: events.append, authenticate, confirm, credentialEnded, baseUrl };
  const delegations = new DelegationRules(deps);
  const accessTokens = new AccessTokenRules(deps);
  return {
    endpoints: delegationRoutes({ rules: delegations }),
    tables: [ACCESS_TOKENS, DELEGATION_PARTIES, DELEGATIONS],
    expire: expireDelegations,
    secure: delegations.secure,
    young: youngDelegations,
    provides: { delegations, accessTokens, tokenExchange: tokenExchange(accessTokens) },
  };
});
