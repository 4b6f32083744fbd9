import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { exportOf } from '../../../db/account-export.ts';
import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { AccessTokenRules } from './access-token.ts';
import { DelegationRules, expireDelegations, youngDelegations } from './delegation.ts';
import { delegationRoutes } from './delegation-routes.ts';
import { DELEGATIONS } from './delegation-table.ts';
import { tokenExchange } from './token-exchange.ts';

type Needs = FeatureContext & {
  credentials: {
    authenticate(token: string, now: number): Promise<Principal | null>;
    confirm(tx: Tx, principal: Principal): Promise<void>;
    credentialEnded(tx: Tx, accountId: string): void;
  };
};

/** An account's delegations: those of its authority, those that it made, and those that it holds. */
const SIDES = ['account_id', 'from_id', 'to_id'] as const;

/** Authority that one account gives another for a while, and the access tokens with which the other acts. */
export const delegationsFeature = feature('delegations', (needs: Needs) => {
  const { database, limits, events, credentials, baseUrl } = needs;
  const { authenticate, confirm, credentialEnded } = credentials;
  const deps = { database, limits, appendEvent: events.append, authenticate, confirm, credentialEnded, baseUrl };
  const delegations = new DelegationRules(deps);
  const accessTokens = new AccessTokenRules(deps);
  return {
    endpoints: delegationRoutes({ rules: delegations }),
    exports: [exportOf({ table: 'delegations', columns: DELEGATIONS, key: ['id'] })],
    erases: [
      rowsOf('access_tokens', ['hash']),
      rowsOf('access_tokens', ['hash'], { by: 'actor_id' }),
      ...SIDES.map((by) =>
        rowsOf('delegation_parties', ['account_id', 'delegation_id'], {
          by: 'delegation_id',
          through: { table: 'delegations', id: 'id', by },
        }),
      ),
      rowsOf('delegation_parties', ['account_id', 'delegation_id']),
      ...SIDES.map((by) => rowsOf('delegations', ['id'], { by })),
    ],
    expire: expireDelegations,
    secure: delegations.secure,
    young: youngDelegations,
    provides: { delegations, accessTokens, tokenExchange: tokenExchange(accessTokens) },
  };
});
