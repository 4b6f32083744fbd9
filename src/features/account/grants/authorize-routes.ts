import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { media, oneOf, record, secret, text } from '../../../api/fields.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { Type } from '../../../base/schema.ts';
import { PAGE_HEADERS } from '../../../http/pipeline/page-headers.ts';
import { AUTHORIZATION_PARAMETERS, type AuthorizationParameters, type AuthorizationRules } from './authorization.ts';
import { askedOf, faultPage, refusedPage } from './authorize-page.ts';
import type { ConsentRules } from './consent-decision.ts';
import type { GrantDeps } from './grant.ts';
import type { AuthorizationRequest } from './grant-table.ts';

const TAG = 'OAuth';

/** What the page sends back: the parameters as a query string. */
const encodeRequest = (given: AuthorizationParameters): string =>
  String(new URLSearchParams(Object.entries(given).filter(([, value]) => value !== undefined)));

/** @throws ApiError `invalid_request` for a parameter that comes twice */
function decodeRequest(request: string): AuthorizationParameters {
  const sent = new URLSearchParams(request.replace(/^\?/, ''));
  const given: AuthorizationParameters = {};
  for (const name of AUTHORIZATION_PARAMETERS) {
    const [value, ...others] = sent.getAll(name);
    if (others.length > 0) throw invalidField('/body/request', 'not_allowed', `${name} must not be repeated.`);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

const word = (length = 2048) => Type.Optional(text(length));

const authorize = (authorizations: AuthorizationRules, { consentPage, networksOf }: GrantDeps) =>
  endpoint({
    method: 'GET',
    path: '/oauth/authorize',
    operation: 'authorizeClient',
    tag: TAG,
    summary: 'Get the page that lets a client in (RFC 6749 4.1)',
    description:
      'PKCE with `S256` is required. The only `resource` is `/mcp`. The page decides with `POST /oauth/consent`. An error is shown, with a link to the client, before anybody logs in.',
    auth: 'none',
    model: false,
    effect: 'none',
    query: record({
      response_type: word(),
      client_id: word(),
      redirect_uri: word(),
      scope: word(),
      state: word(4096),
      code_challenge: word(),
      code_challenge_method: word(),
      resource: word(),
    }),
    replies: {
      200: media('text/html; charset=utf-8', 'The page.'),
      302: Type.Null({ description: 'An error, for a client on the person’s own machine.' }),
    },
    errors: ['invalid_client', 'invalid_scope', 'invalid_target', 'unsupported_response_type', 'rate_limited'],
    handle: async ({ query, ip, now }) => {
      const given = query as AuthorizationParameters;
      const answer = await authorizations.check(given, networksOf(ip), now);
      if (answer.kind === 'refused')
        throw new ApiError('invalid_client', { message: answer.message, page: refusedPage(answer.message) });
      if (answer.kind === 'sent_back') return reply(302, null, { ...PAGE_HEADERS, location: answer.to });
      if (answer.kind === 'at_fault')
        throw new ApiError(answer.error, { message: answer.message, page: faultPage(answer) });
      const page = consentPage(askedOf(answer.asked, encodeRequest(given)));
      return reply(200, page, PAGE_HEADERS);
    },
  });

/** @throws ApiError `invalid_request`, `rate_limited` */
async function requireAsked(
  authorizations: AuthorizationRules,
  { networksOf }: GrantDeps,
  { request, ip, now }: { request: string; ip: string; now: number },
): Promise<AuthorizationRequest> {
  const answer = await authorizations.check(decodeRequest(request), networksOf(ip), now);
  if (answer.kind === 'asked') return answer.asked;
  const message =
    answer.kind === 'refused'
      ? answer.message
      : 'The request is not valid. Open /oauth/authorize to see what is wrong.';
  throw invalidField('/body/request', 'not_allowed', message);
}

const consent = (authorizations: AuthorizationRules, consents: ConsentRules, deps: GrantDeps) =>
  endpoint({
    method: 'POST',
    path: '/oauth/consent',
    operation: 'decideConsent',
    tag: TAG,
    summary: 'Let a client in, or deny it',
    description:
      'For a session of an operator of the account. While `authority` is `account`, a session of a confirmed address may too.',
    auth: 'person',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    dryRun: false,
    leaves: ['grant'],
    action: 'grant.created',
    body: record({
      request: text(16_384, { description: 'The query of `GET /oauth/authorize`.' }),
      decision: oneOf(['allow', 'deny']),
      account_id: Type.Optional(text(64)),
      scopes: Type.Optional(
        Type.Array(text(64), {
          maxItems: 100,
          description: 'Default: all that the client asks for but `mail:codes` and `money:approve`.',
        }),
      ),
    }),
    replies: {
      200: record({ redirect_to: secret(Type.String()) }),
    },
    errors: [
      'not_found',
      ...WAY_REFUSALS,
      'confirmed_address_required',
      'account_deleting',
      'limit_reached',
      'invalid_scope',
      'invalid_client',
    ],
    handle: async ({ principal, body, ip, now, transact }) => {
      const asked = await requireAsked(authorizations, deps, { request: body.request, ip, now });
      const account = body.account_id ?? principal.accountId;
      const acting = await consents.actingFor(principal, account, now);
      return transact(async (tx, audit) => {
        audit.accountId = acting.accountId;
        audit.actor = acting.auditActor;
        audit.resourceId = asked.client.id;
        const { redirectUri, state } = asked;
        if (body.decision === 'deny') {
          audit.action = 'grant.denied';
          return reply(200, { redirect_to: authorizations.answer(redirectUri, state, { error: 'access_denied' }) });
        }
        const { grant, code } = await consents.allow(tx, acting, { asked, scopes: body.scopes }, now);
        audit.resourceId = grant.id;
        return reply(200, { redirect_to: authorizations.answer(redirectUri, state, { code }) });
      });
    },
  });

export const authorizeRoutes = (
  authorizations: AuthorizationRules,
  consents: ConsentRules,
  deps: GrantDeps,
): Endpoint[] => [authorize(authorizations, deps), consent(authorizations, consents, deps)];
