import { type AuditNote, type Endpoint, endpoint, type Reply, reply } from '../../../api/endpoint.ts';
import { nullable, record, text } from '../../../api/fields.ts';
import type { Tx } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { clientFields, NO_STORE } from './revocation-schema.ts';
import type { TokenDeps, TokenRules } from './token.ts';

type Revoked = { revoked: boolean; jti: string | null };
type Transact = (work: (tx: Tx, audit: AuditNote) => Promise<Reply<200, Revoked>>) => Promise<Reply<200, Revoked>>;

/** Revokes a token of an account: an AAT or its `jti`, or an access token. */
async function revokeOwn(
  rules: TokenRules,
  { accessTokens, grantTokens, database }: TokenDeps,
  { accountId, text, now }: { accountId: string; text: string; now: number },
  transact: Transact,
): Promise<Reply<200, Revoked>> {
  for (const tokens of [accessTokens, grantTokens])
    if (await tokens.isOwn(database, accountId, text))
      return transact(async (tx) =>
        reply(200, { revoked: await tokens.revoke(tx, accountId, text, now), jti: null }, NO_STORE),
      );
  const issued = await rules.own(accountId, text);
  if (!issued) return reply(200, { revoked: false, jti: null }, NO_STORE);
  if (issued.revokedAt !== null) return reply(200, { revoked: true, jti: issued.jti }, NO_STORE);
  return transact(async (tx, audit) => {
    audit.resourceId = issued.jti;
    await rules.revoke(tx, issued, now);
    return reply(200, { revoked: true, jti: issued.jti }, NO_STORE);
  });
}

const revokeToken = (rules: TokenRules, deps: TokenDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/tokens/revoke',
    operation: 'revokeToken',
    tag: 'Tokens',
    summary: 'Revoke a token (RFC 7009)',
    description:
      'Takes JSON or a form. `token` is the token or its `jti`. Introspection and the audit URL show the revocation at ' +
      'once. For text that is not a token of this account the reply is 200 with `revoked` false.',
    auth: 'key',
    scope: 'identity:issue',
    addresses: 'none',
    whileSuspended: true,
    effect: 'lazy',
    leaves: [],
    bucket: 'revoke',
    action: 'token.revoked',
    form: true,
    body: record({ token: text(100_000, { minLength: 1 }), ...clientFields }),
    replies: { 200: record({ revoked: Type.Boolean(), jti: nullable(Type.String()) }) },
    errors: [],
    handle: ({ principal: { accountId }, body, now, transact }) =>
      revokeOwn(rules, deps, { accountId, text: body.token.trim(), now }, transact),
  });

const revokeClientToken = (rules: TokenRules, deps: TokenDeps) =>
  endpoint({
    method: 'POST',
    path: '/oauth/revoke',
    operation: 'revokeClientToken',
    tag: 'OAuth',
    summary: 'Revoke a token of a client (RFC 7009)',
    description: 'A refresh token ends the client’s access. With a key, like `POST /v1/tokens/revoke`.',
    auth: 'optional',
    scope: 'identity:issue',
    addresses: 'none',
    whileSuspended: true,
    model: false,
    effect: 'lazy',
    dryRun: false,
    leaves: [],
    bucket: 'revoke',
    action: 'token.revoked',
    form: true,
    cors: true,
    body: record({ token: text(100_000, { minLength: 1 }), ...clientFields }),
    bodyLimitBytes: 262_144,
    replies: { 200: record({}) },
    errors: [],
    handle: async ({ principal, body, now, transact }) => {
      const text = body.token.trim();
      const done = reply(200, {}, NO_STORE);
      const discard: Transact = async (work) => {
        let outcome: Reply<200, Revoked> | undefined;
        await transact(async (tx, audit) => {
          outcome = await work(tx, audit);
          return done;
        });
        return outcome as Reply<200, Revoked>;
      };
      if (principal !== null) await revokeOwn(rules, deps, { accountId: principal.accountId, text, now }, discard);
      else if (await deps.grantTokens.isClients(deps.database, text))
        await transact(async (tx, audit) => {
          const grant = await deps.grantTokens.revokeByClient(tx, text, body.client_id, now);
          if (grant) Object.assign(audit, { accountId: grant.accountId, resourceId: grant.id });
          return done;
        });
      return done;
    },
  });

export const revocationRoutes = (rules: TokenRules, deps: TokenDeps): Endpoint[] => [
  revokeToken(rules, deps),
  revokeClientToken(rules, deps),
];
