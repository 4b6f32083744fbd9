import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record, secret, text } from '../../../api/fields.ts';
import { type GrantType, oauthError, type TokenForm } from '../../../api/oauth.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { Type } from '../../../base/schema.ts';

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

const word = (description?: string) => Type.Optional(text(2048, description === undefined ? {} : { description }));

const TokenBody = record({
  grant_type: text(256, {
    description:
      '`authorization_code`, `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code` or `urn:ietf:params:oauth:grant-type:token-exchange` (with a key of the delegate).',
    examples: ['urn:ietf:params:oauth:grant-type:token-exchange'],
  }),
  client_id: word('For a code or refresh token.'),
  code: word(),
  code_verifier: word('RFC 7636.'),
  redirect_uri: word(),
  refresh_token: word('Works once: the reply has the next one.'),
  device_code: word('RFC 8628.'),
  scope: word('Separated by spaces. Default: every scope that was granted.'),
  resource: word(),
  audience: word(),
  subject_token: word('The id of a delegation to the caller.'),
  subject_token_type: word('`urn:signet:token-type:delegation`'),
  requested_token_type: word(),
  actor_token: word(),
  actor_token_type: word(),
});

const getTokens = (grantTypes: readonly GrantType[]) =>
  endpoint({
    method: 'POST',
    path: '/oauth/token',
    operation: 'exchangeToken',
    tag: 'OAuth',
    summary: 'Get an access token (RFC 6749, RFC 8628, RFC 8693)',
    description:
      'For a code, a refresh token or a delegation. The command line gets a named key. Only a delegation needs a key, and only `identity:issue` of it counts. Takes a form, or JSON.',
    auth: 'optional',
    scope: 'identity:issue',
    addresses: 'refused',
    model: false,
    effect: 'write',
    dryRun: false,
    leaves: ['delegate'],
    action: 'delegation.exchanged',
    form: true,
    cors: true,
    body: TokenBody,
    replies: {
      200: record({
        access_token: secret(Type.String()),
        issued_token_type: Type.Optional(Type.String()),
        token_type: Type.Literal('Bearer'),
        expires_in: Type.Integer({ description: 'Seconds.' }),
        refresh_token: Type.Optional(secret(Type.String())),
        scope: Type.String(),
      }),
    },
    errors: [
      'invalid_grant',
      'invalid_client',
      'invalid_scope',
      'invalid_target',
      'unsupported_grant_type',
      'authorization_pending',
      'slow_down',
      'access_denied',
      'expired_token',
      'limit_reached',
      ...WAY_REFUSALS,
    ],
    handle: async ({ principal, body, now, transact }) => {
      const form = body as TokenForm;
      const grantType = grantTypes.find(({ name }) => name === form.grant_type);
      if (!grantType) {
        const names = grantTypes.map(({ name }) => name).join(', ');
        throw oauthError('unsupported_grant_type', `grant_type must be one of ${names}.`);
      }
      try {
        return await transact(async (tx, audit) => {
          const granted = await grantType.issue(tx, { form, principal, now }, audit);
          const { accessToken, refreshToken, issuedTokenType, expiresAt, scopes } = granted;
          const tokens = {
            access_token: accessToken,
            ...(issuedTokenType === undefined ? {} : { issued_token_type: issuedTokenType }),
            token_type: 'Bearer' as const,
            expires_in: Math.floor((expiresAt - now) / 1000),
            ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
            scope: scopes.join(' '),
          };
          return reply(200, tokens, NO_STORE);
        });
      } catch (err) {
        await grantType.afterRefusal?.(err, now);
        throw err;
      }
    },
  });

export const tokenEndpointRoutes = (grantTypes: readonly GrantType[]): Endpoint[] => [getTokens(grantTypes)];
