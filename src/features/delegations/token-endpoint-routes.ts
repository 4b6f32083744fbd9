import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { record, secret, text } from '../../kernel/fields.ts';
import { type AccessTokenRules, oauthError } from './access-token-rules.ts';

interface TokenEndpointDeps {
  rules: AccessTokenRules;
}

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** RFC 8693 2.1 and 3. */
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const DELEGATION = 'urn:signet:token-type:delegation';

const word = (description?: string) => Type.Optional(text(2048, description === undefined ? {} : { description }));

const TokenBody = record({
  grant_type: text(256, { examples: [TOKEN_EXCHANGE] }),
  subject_token: word('The id of a delegation to the caller.'),
  subject_token_type: word(`\`${DELEGATION}\``),
  requested_token_type: word(`\`${ACCESS_TOKEN}\``),
  scope: word('Separated by spaces. Default: every scope of the delegation.'),
  audience: word(),
  resource: word(),
  actor_token: word('Not supported: the actor is the caller.'),
  actor_token_type: word(),
  client_id: word(),
});

interface Form {
  grant_type: string;
  subject_token?: string;
  subject_token_type?: string;
  requested_token_type?: string;
  scope?: string;
  audience?: string;
  resource?: string;
  actor_token?: string;
  actor_token_type?: string;
}

/** @throws ApiError `unsupported_grant_type`, `invalid_request`, `invalid_target` */
function readExchange(form: Form) {
  const { grant_type, subject_token, subject_token_type, requested_token_type, scope, audience, resource } = form;
  if (grant_type !== TOKEN_EXCHANGE)
    throw oauthError('unsupported_grant_type', `grant_type must be ${TOKEN_EXCHANGE}.`);
  if (subject_token === undefined || subject_token_type !== DELEGATION)
    throw oauthError('invalid_request', `Send a subject_token with the subject_token_type ${DELEGATION}.`);
  if (form.actor_token !== undefined || form.actor_token_type !== undefined)
    throw oauthError('invalid_request', 'Send no actor_token: the actor is the account whose key calls.');
  if (requested_token_type !== undefined && requested_token_type !== ACCESS_TOKEN)
    throw oauthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}.`);
  if (audience !== undefined && resource !== undefined && audience !== resource)
    throw oauthError('invalid_target', 'audience and resource must name the same service.');
  return { subjectToken: subject_token, scope, audience: audience ?? resource };
}

const exchange = ({ rules }: TokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    path: '/oauth/token',
    operation: 'exchangeToken',
    tag: 'Delegation',
    summary: 'Get an access token for a delegation (RFC 8693)',
    description: 'Call it with a key of the delegate. Only `identity:issue` of that key counts. Takes a form, or JSON.',
    auth: 'key',
    scope: 'identity:issue',
    addresses: 'refused',
    effect: 'write',
    action: 'delegation.exchanged',
    form: true,
    body: TokenBody,
    replies: {
      200: record({
        access_token: secret(Type.String()),
        issued_token_type: Type.String(),
        token_type: Type.Literal('Bearer'),
        expires_in: Type.Integer({ description: 'Seconds.' }),
        scope: Type.String(),
      }),
    },
    errors: ['invalid_scope', 'invalid_target', 'unsupported_grant_type'],
    handle: async ({ principal, body, now, transact }) => {
      const request = readExchange(body as Form);
      return transact(async (tx, audit) => {
        const { token, stored } = await rules.exchange(tx, principal, request, now);
        audit.resourceId = request.subjectToken;
        const granted = {
          access_token: token,
          issued_token_type: ACCESS_TOKEN,
          token_type: 'Bearer' as const,
          expires_in: Math.floor((stored.expiresAt - now) / 1000),
          scope: stored.scopes.join(' '),
        };
        return reply(200, granted, NO_STORE);
      });
    },
  });

export const tokenEndpointRoutes = (deps: TokenEndpointDeps): Endpoint[] => [exchange(deps)];
