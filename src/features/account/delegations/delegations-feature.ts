import type { Gate } from '../../../api/way-out.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { AccessTokenRules } from './access-token.ts';
import { type DelegationDeps, DelegationRules, expireDelegations, youngDelegations } from './delegation.ts';
import { delegationRoutes } from './delegation-routes.ts';
import { ACCESS_TOKENS, DELEGATION_PARTIES, DELEGATIONS } from './delegation-table.ts';
import { tokenExchange } from './token-exchange.ts';

type Needs = FeatureContext & {
  gate: Gate;
  credentials: Pick<DelegationDeps, 'authenticate' | 'confirm' | 'credentialEnded'>;
};

/** Authority that one account gives another for a while, and the access tokens with which the other acts. */
export const delegationsFeature = feature('delegations', (needs: Needs) => {
  const { authenticate, confirm, credentialEnded } = needs.credentials;
  const deps = { ...needs, appendEvent: needs.events.append, authenticate, confirm, credentialEnded };
  const delegations = new DelegationRules(deps);
  const accessTokens = new AccessTokenRules(deps);
  return {
    endpoints: delegationRoutes(delegations),
    tables: [ACCESS_TOKENS, DELEGATION_PARTIES, DELEGATIONS],
    expire: expireDelegations,
    secure: delegations.secure,
    recentlyAdded: youngDelegations,
    provides: { delegations, accessTokens, tokenExchange: tokenExchange(accessTokens) },
  };
});
