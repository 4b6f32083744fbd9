import type { GrantType } from '../../../api/oauth.ts';
import { openGuard, publicGuard } from '../../../base/outbound-guard.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { NamedKeyRules } from '../keys/named-key.ts';
import type { PeopleRules } from '../people/people-changes.ts';
import { AuthorizationRules } from './authorization.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import { registrationRoutes } from './client-registration-routes.ts';
import { ConsentRules } from './consent-decision.ts';
import { DeviceLoginRules, expireDeviceLogins } from './device/device-login.ts';
import { deviceLoginRoutes } from './device/device-login-routes.ts';
import { DEVICE_LOGINS } from './device/device-login-table.ts';
import { createDocumentFetch } from './document-client.ts';
import { expireGrants, type GrantDeps, GrantRules, youngGrants } from './grant.ts';
import { grantRoutes } from './grant-routes.ts';
import { GRANT_TOKENS, GRANTS, OAUTH_CLIENTS } from './grant-table.ts';
import { GrantTokenRules } from './grant-tokens.ts';
import { ClientRules } from './registered-client-terms.ts';
import { tokenEndpointRoutes } from './token-endpoint-routes.ts';

type Needs = FeatureContext &
  Pick<GrantDeps, 'credentials' | 'gate' | 'notices' | 'authority' | 'meter' | 'consentPage'> & {
    people: Pick<PeopleRules, 'watchPeople'>;
    namedKeys: NamedKeyRules;
    tokenExchange: GrantType;
  };

/** OAuth for the clients of people: they register, a person lets them in, and they get tokens for `/mcp`. */
export const grantsFeature = feature('grants', (needs: Needs) => {
  const { config, events, metrics, baseUrl, now } = needs;
  const deps: GrantDeps = { ...needs, appendEvent: events.append, watchCache: metrics.cache };
  // In development, metadata may also come from private networks and this machine.
  const guard = config.development ? openGuard() : publicGuard();
  const clients = new ClientRules(deps, createDocumentFetch(guard), config.development);
  const authorizations = new AuthorizationRules(clients, baseUrl);
  const consents = new ConsentRules(deps);
  const grants = new GrantRules(deps);
  const devices = new DeviceLoginRules(deps, consents, grants);
  needs.namedKeys.onDeleted(grants.keyDeleted);
  needs.people.watchPeople((tx, accountId, address) => grants.personEnded(tx, accountId, address, now()));
  return {
    endpoints: [
      ...authorizeRoutes(authorizations, consents, deps),
      ...registrationRoutes(clients, deps),
      ...deviceLoginRoutes(devices, consents, deps),
      ...tokenEndpointRoutes([...grants.grantTypes, devices.grantType, needs.tokenExchange]),
      ...grantRoutes(grants),
    ],
    tables: [GRANT_TOKENS, GRANTS, OAUTH_CLIENTS, DEVICE_LOGINS],
    expire: async (tx, now) => {
      await expireGrants(tx, now);
      await expireDeviceLogins(tx, now);
    },
    secure: grants.secure,
    recentlyAdded: youngGrants,
    provides: { grantTokens: new GrantTokenRules(deps, grants) },
  };
});
