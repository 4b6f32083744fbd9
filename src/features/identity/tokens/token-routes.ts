import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, line, nextCursor, record, secret, text, timestamp } from '../../../api/fields.ts';
import { requireUri } from '../../../api/uri.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { bearerToken } from '../../../http/pipeline/authenticate.ts';
import { clientFields, NO_STORE } from './revocation-schema.ts';
import { SCOPE_PATTERN, SCOPES_MAX, statusOf, type TokenDeps, type TokenRules, TTL_SECONDS } from './token.ts';
import { TokenState } from './token-schema.ts';

/** Who acts (RFC 8693 4.1). */
interface Actor {
  sub: string;
  act?: Actor;
}

const TAG = 'Tokens';

const IssueBody = record({
  audience: text(2048, {
    minLength: 1,
    description: 'The service that will receive the token, as an absolute URI.',
    examples: ['https://api.example.com'],
  }),
  scopes: Type.Array(Type.String({ pattern: SCOPE_PATTERN }), {
    minItems: 1,
    maxItems: SCOPES_MAX,
    description: `1 to ${SCOPES_MAX}, each matching ${SCOPE_PATTERN}. Duplicates are removed.`,
    examples: [['mail:read']],
  }),
  ttl: Type.Optional(
    Type.Number({
      minimum: TTL_SECONDS.min,
      maximum: TTL_SECONDS.max,
      default: TTL_SECONDS.byDefault,
      description: 'Lifetime in seconds.',
    }),
  ),
  agent_name: Type.Optional(line(100, { description: 'Defaults to the account’s name.' })),
  agent_email: Type.Optional(
    text(254, {
      format: 'email',
      description: 'The token also states whether the account owns this address (`agent_email_verified`).',
    }),
  ),
});

const issueToken = (rules: TokenRules, { baseUrl, gate }: TokenDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/tokens/issue',
    operation: 'issueToken',
    tag: TAG,
    summary: 'Issue a token',
    description:
      'An Agent Authentication Token is an RFC 9068 access token (`typ: at+jwt`, Ed25519) that states who this agent is. ' +
      'The receiver verifies it with `/.well-known/jwks.json` or `POST /v1/tokens/introspect`. Signet stores the `jti` and ' +
      'the terms, not the token.',
    auth: 'key',
    scope: 'identity:issue',
    outlives: true,
    addresses: 'filtered',
    effect: 'write',
    leaves: ['token'],
    action: 'token.issued',
    body: IssueBody,
    tools: [
      {
        name: 'issue_token',
        group: 'identity',
        description: 'Get a short-lived token that proves to another service who you are.',
        takes: ['audience', 'scopes', 'ttl'],
        gives: ['token', 'expires_at', 'jti'],
        structured: true,
      },
    ],
    replies: {
      201: record({
        token: secret(Type.String()),
        expires_at: timestamp(),
        jti: Type.String(),
        audit_url: Type.String({ description: 'Shows the status of the token to anyone who knows the `jti`.' }),
      }),
    },
    errors: ['invalid_scopes', 'ttl_out_of_range', 'scope_ceiling_exceeded', 'signing_unavailable', ...WAY_REFUSALS],
    codes: { '/body/scopes': 'invalid_scopes', '/body/ttl': 'ttl_out_of_range' },
    handle: async ({ principal, body, now, transact }) => {
      const request = {
        audience: requireUri(body.audience, '/body/audience'),
        scopes: [...new Set(body.scopes)],
        ttlSeconds: body.ttl ?? TTL_SECONDS.byDefault,
        agentName: body.agent_name ?? null,
        agentEmail: body.agent_email?.trim().toLowerCase() ?? null,
      };
      const { token, issued } = await rules.issue(principal, request, now);
      return transact(async (tx, audit) => {
        await gate.require(tx, principal, 'token', [request.audience]);
        audit.resourceId = issued.jti;
        await rules.record(tx, issued, now);
        const auditUrl = `${baseUrl()}/v1/audit/${issued.jti}`;
        return reply(201, { token, expires_at: iso(issued.expiresAt), jti: issued.jti, audit_url: auditUrl }, NO_STORE);
      });
    },
  });

const Introspection = record({
  active: Type.Boolean(),
  sub: Type.Optional(Type.String()),
  aud: Type.Optional(Type.String()),
  iat: Type.Optional(Type.Integer({ description: 'Unix seconds.' })),
  exp: Type.Optional(Type.Integer({ description: 'Unix seconds.' })),
  jti: Type.Optional(Type.String()),
  scopes: Type.Optional(Type.Array(Type.String())),
  agent_id: Type.Optional(Type.String()),
  agent_name: Type.Optional(Type.String()),
  agent_email: Type.Optional(Type.String()),
  agent_email_verified: Type.Optional(Type.Boolean()),
  iss: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  token_type: Type.Optional(Type.String()),
  act: Type.Optional(
    Type.Unsafe<Actor>({
      type: 'object',
      description: 'Who acts (RFC 8693): `sub`, and in `act` who passed the delegation on.',
    }),
  ),
});

const introspectToken = (rules: TokenRules, { accessTokens, grantTokens, database }: TokenDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/tokens/introspect',
    operation: 'introspectToken',
    tag: TAG,
    summary: 'Introspect a token (RFC 7662)',
    description:
      'Returns whether a token is valid now, and its claims. Takes JSON or a form. The status is always 200: the reply is ' +
      '`{"active": false}` for a token that is expired, revoked, altered or foreign, for a suspended account, and for a ' +
      'body without a token. An access token of a delegate (`signet_at_…`) or of a client is active only for a caller with a key of its account or of the delegate, or with itself.',
    auth: 'none',
    effect: 'none',
    form: true,
    anyBody: true,
    body: record({ token: Type.Optional(text(100_000)), ...clientFields }),
    replies: { 200: Introspection },
    errors: [],
    handle: async ({ body, header, now }) => {
      const token = body.token ?? '';
      const caller = bearerToken(header('authorization')) ?? undefined;
      for (const tokens of [accessTokens, grantTokens]) {
        const opened = await tokens.introspect(database, token, caller, now);
        if (opened) return reply(200, { active: true, ...opened, token_type: 'Bearer' }, NO_STORE);
      }
      const claims = await rules.introspect(token, now);
      if (!claims) return reply(200, { active: false }, NO_STORE);
      return reply(200, { active: true, ...claims, token_type: 'Bearer' }, NO_STORE);
    },
  });

const listTokens = (rules: TokenRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/tokens',
    operation: 'listTokens',
    tag: TAG,
    summary: 'List issued tokens',
    description: 'Newest first. The tokens themselves are not stored. Revoke one by its `jti`.',
    auth: 'key',
    effect: 'none',
    bucket: 'inspect',
    scope: 'identity:read',
    addresses: 'none',
    query: record({ status: Type.Optional(TokenState), limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: {
      200: record({
        tokens: Type.Array(
          record({
            jti: Type.String(),
            audience: Type.String(),
            scopes: Type.Array(Type.String()),
            issued_at: timestamp(),
            expires_at: timestamp(),
            status: TokenState,
          }),
        ),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const { status, cursor, limit } = query;
      const page = await rules.list(principal.accountId, { status, cursor, limit: limit as number }, now);
      const tokens = page.rows.map((issued) => ({
        jti: issued.jti,
        audience: issued.audience,
        scopes: issued.scopes,
        issued_at: iso(issued.issuedAt),
        expires_at: iso(issued.expiresAt),
        status: statusOf(issued, now),
      }));
      return reply(200, { tokens, next_cursor: page.nextCursor });
    },
  });

export const tokenRoutes = (rules: TokenRules, deps: TokenDeps): Endpoint[] => [
  issueToken(rules, deps),
  listTokens(rules),
  introspectToken(rules, deps),
];
