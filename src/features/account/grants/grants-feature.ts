import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import type { GrantType } from '../../../api/oauth.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { openGuard, publicGuard } from '../../../base/outbound-guard.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import type { PeopleRules } from '../people/people-changes.ts';
import { AuthorizationRules } from './authorization.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import { registrationRoutes } from './client-registration-routes.ts';
import { type ConsentDeps, ConsentRules } from './consent-decision.ts';
import { createDocumentFetch } from './document-client.ts';
import { expireGrants, GrantRules, youngGrants } from './grant.ts';
import { grantRoutes } from './grant-routes.ts';
import { GRANT_TOKENS, GRANTS, OAUTH_CLIENTS } from './grant-table.ts';
import { GrantTokenRules } from './grant-tokens.ts';
import { ClientRules } from './registered-client-terms.ts';
import { tokenEndpointRoutes } from './token-endpoint-routes.ts';

type Needs = FeatureContext & {
  credentials: Pick<ConsentDeps, 'confirm'> & {
    authenticate(token: string, now: number): Promise<Principal | null>;
    ofHash: ConsentDeps['ofHash'];
    credentialEnded(tx: Tx, accountId: string): void;
  };
  notices: Notices;
  authority: { of(reader: Reader, accountId: string): Promise<Authority> };
  people: Pick<PeopleRules, 'watchPeople'>;
  tokenExchange: GrantType;
  meter: Pick<RequestMeter, 'take'>;
  consentPage(asked: string): string;
};

const REFRESHES = { name: 'token_refreshes_per_hour', owner: 'credential', window: 'hour' } as const;

/** OAuth for the clients of people: they register, a person lets them in, and they get tokens for `/mcp`. */
export const grantsFeature = feature('grants', (needs: Needs) => {
  const { config, database, limits, events, credentials, notices, authority, metrics, baseUrl, networksOf, now } =
    needs;
  const { authenticate, credentialEnded, confirm } = credentials;
  // In development, metadata may also come from private networks and this machine.
  const guard = config.development ? openGuard() : publicGuard();
  const fetchDocument = createDocumentFetch(guard);
  const clients = new ClientRules({
    database,
    limits,
    fetchDocument,
    isDevelopment: config.development,
    watchCache: metrics.cache,
  });
  const authorizations = new AuthorizationRules({ clients, baseUrl });
  const appendEvent = events.append;
  const ofHash: ConsentDeps['ofHash'] = (credential, hash, at, access) =>
    credentials.ofHash(credential, hash, at, access);
  const consents = new ConsentRules({ notices, appendEvent, authorityOf: authority.of, ofHash, confirm });
  const countRefresh = (tx: Tx, grantId: string, at: number) =>
    needs.meter.take([{ countId: `refresh:${grantId}`, ...REFRESHES, limit: limits.token_refreshes_per_hour }], at, tx);
  const grants = new GrantRules({
    database,
    limits,
    notices,
    appendEvent,
    credentialEnded,
    countRefresh,
    baseUrl,
  });
  const grantTokens = new GrantTokenRules({ grants, authenticate, credentialEnded, baseUrl });
  needs.people.watchPeople((tx, accountId, address) => grants.personEnded(tx, accountId, address, now()));
  return {
    endpoints: [
      ...authorizeRoutes({ authorizations, consents, consentPage: needs.consentPage, networksOf }),
      ...registrationRoutes({ clients, networksOf }),
      ...tokenEndpointRoutes({ grantTypes: [...grants.grantTypes, needs.tokenExchange] }),
      ...grantRoutes(grants),
    ],
    tables: [GRANT_TOKENS, GRANTS, OAUTH_CLIENTS],
    expire: expireGrants,
    secure: grants.secure,
    young: youngGrants,
    provides: { grantTokens },
  };
});
