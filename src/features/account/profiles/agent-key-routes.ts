import type { Notices } from '../../../api/account/removal-notices.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import { line, named, nullable, record, text, timestamp } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { type Gate, WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import {
  AGENT_KEYS_MAX,
  type AgentKey,
  agentKeysOf,
  registerAgentKey,
  removeAgentKey,
  requireEd25519,
  thumbprintOf,
} from './agent-key.ts';
import type { PossessionRules } from './key-possession.ts';

const TAG = 'Profiles';

const KeyEntry = named(
  'SigningKey',
  record({
    keyid: Type.String({ description: 'RFC 7638 thumbprint, the key’s `kid` in the agent’s JWKS.' }),
    public_key: Type.String({ description: 'Ed25519, 32 bytes, base64url.' }),
    label: nullable(Type.String()),
    created_at: timestamp(),
  }),
);

const keyEntry = ({ kid, x, label, createdAt }: AgentKey) => ({
  keyid: kid,
  public_key: x,
  label,
  created_at: iso(createdAt),
});

const registerKey = (database: Database, gate: Gate, possession: PossessionRules, notices: Notices) =>
  endpoint({
    method: 'POST',
    path: '/v1/agents/signing-keys',
    operation: 'registerSigningKey',
    tag: TAG,
    summary: 'Publish a signing key',
    description: `Adds an Ed25519 public key, whose private key the agent keeps, to the agent’s JWKS and DID document. Call it without \`proof\` first: 409 \`proof_required\` has the \`challenge\` to sign, for five minutes. At most ${AGENT_KEYS_MAX} keys.`,
    auth: 'key',
    scope: 'identity:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: ['publish'],
    action: 'signing_key.registered',
    body: record({
      public_key: text(64, {
        minLength: 43,
        description: 'Ed25519, 32 bytes as base64url or hex.',
        examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
      }),
      label: Type.Optional(line(100)),
      proof: Type.Optional(
        text(200, { description: 'The Ed25519 signature over the UTF-8 bytes of `challenge`, base64url.' }),
      ),
    }),
    replies: { 201: KeyEntry },
    errors: ['signing_key_exists', 'signing_key_limit', 'proof_required', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) => {
      const { accountId } = principal;
      const x = await requireEd25519(body.public_key, '/body/public_key');
      const given = { kid: await thumbprintOf(x), x, label: body.label ?? null };
      const known = await agentKeysOf(database, accountId);
      if (known.some(({ kid }) => kid === given.kid)) throw new ApiError('signing_key_exists');
      possession.require({ accountId, ...given }, body.proof, now);
      return transact(async (tx, audit) => {
        await gate.require(tx, principal, 'publish');
        const trustedFromStart = await notices.isTrustedFromStart(tx, principal, now);
        const key = await registerAgentKey(tx, accountId, { ...given, trustedFromStart }, now);
        audit.resourceId = key.kid;
        return reply(201, keyEntry(key));
      });
    },
  });

const listKeys = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/agents/signing-keys',
    operation: 'listSigningKeys',
    tag: TAG,
    summary: 'List signing keys',
    description: 'The keys this agent published, oldest first.',
    model: false,
    auth: 'key',
    scope: 'identity:read',
    addresses: 'none',
    effect: 'none',
    bucket: 'inspect',
    replies: { 200: record({ keys: Type.Array(KeyEntry), count: Type.Integer() }) },
    errors: [],
    handle: async ({ principal }) => {
      const keys = await agentKeysOf(database, principal.accountId);
      return reply(200, { keys: keys.map(keyEntry), count: keys.length });
    },
  });

const deleteKey = () =>
  endpoint({
    method: 'DELETE',
    path: '/v1/agents/signing-keys/{keyid}',
    operation: 'deleteSigningKey',
    tag: TAG,
    summary: 'Delete a signing key',
    description: 'Removes it from the agent’s JWKS and DID document.',
    auth: 'key',
    scope: 'identity:manage',
    addresses: 'none',
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'signing_key.deleted',
    params: record({ keyid: text(64) }),
    replies: { 200: record({ deleted: Type.Literal(true), keyid: Type.String() }) },
    errors: ['not_found'],
    handle: async ({ principal, params: { keyid }, transact }) =>
      transact(async (tx, audit) => {
        await removeAgentKey(tx, principal.accountId, keyid);
        audit.resourceId = keyid;
        return reply(200, { deleted: true as const, keyid });
      }),
  });

export const agentKeyRoutes = (
  database: Database,
  gate: Gate,
  possession: PossessionRules,
  notices: Notices,
): Endpoint[] => [registerKey(database, gate, possession, notices), listKeys(database), deleteKey()];
