import { changeOf } from '../../../api/audit-record.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { audited, line, named, nullable, oneOf, record, secret, text, timestamp } from '../../../api/fields.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { NamedKeyRules } from './named-key.ts';

const TAG = 'Accounts';
/** Ten years. */
const EXPIRES_MAX_SECONDS = 315_360_000;
const GRACE_MAX_SECONDS = 86_400;

const Scopes = Type.Array(named('Scope', oneOf(SCOPE_NAMES)), { minItems: 1, uniqueItems: true });
const KeyId = record({ id: text(64) });
const KeyName = line(100, { minLength: 1 });
const ExpiresIn = Type.Integer({ minimum: 1, maximum: EXPIRES_MAX_SECONDS, description: 'Default: no end.' });
const RequestsShare = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'What it may use of the requests that named keys and clients share, in percent. Default: all.',
});

/** What the audit log keeps of a key. */
const AuditedKey = record({
  name: audited(Type.String()),
  scopes: audited(Scopes),
  addresses: audited(Type.Array(Type.String())),
  requestsShare: audited(Type.Integer()),
});

const create = (rules: NamedKeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/keys',
    operation: 'createNamedKey',
    tag: TAG,
    summary: 'Create a named key',
    description: 'It can call the endpoints of its scopes, and cannot create what would outlive or exceed it.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'key.named_created',
    body: record({
      name: KeyName,
      scopes: Scopes,
      addresses: Type.Optional(
        Type.Array(text(254), {
          minItems: 1,
          maxItems: 100,
          description: 'It sees only these.',
        }),
      ),
      requests_share: Type.Optional(RequestsShare),
      expires_in_seconds: Type.Optional(ExpiresIn),
    }),
    replies: {
      201: record({
        id: Type.String(),
        api_key: secret(Type.String()),
        key_prefix: Type.String(),
        name: Type.String(),
        scopes: Scopes,
        addresses: nullable(Type.Array(Type.String())),
        requests_share: nullable(Type.Integer()),
        expires_at: nullable(timestamp()),
        created_at: timestamp(),
      }),
    },
    errors: ['limit_reached'],
    handle: async ({ principal, body, now, transact }) => {
      const { name, scopes, addresses = null } = body;
      const { requests_share: requestsShare = null, expires_in_seconds: expiresInSeconds = null } = body;
      const request = { name, scopes, addresses, requestsShare, expiresInSeconds };
      return transact(async (tx, audit) => {
        const { key, stored } = await rules.create(tx, principal, request, now);
        audit.resourceId = stored.id;
        audit.summary = `Created the key ${name}`;
        audit.change = changeOf(AuditedKey, null, stored);
        return reply(201, {
          id: stored.id,
          api_key: key,
          key_prefix: stored.prefix,
          name,
          scopes: stored.scopes,
          addresses: stored.addresses,
          requests_share: stored.requestsShare,
          expires_at: isoOrNull(stored.expiresAt),
          created_at: iso(stored.createdAt),
        });
      });
    },
  });

const change = (rules: NamedKeyRules) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/account/keys/{id}',
    operation: 'changeNamedKey',
    tag: TAG,
    summary: 'Change what a named key may do, its end, name or share',
    description:
      'Absent fields stay. Holds from its next call. With a scope less or an earlier end, what it delegated ends, and its streams.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'key.named_changed',
    params: KeyId,
    body: record(
      {
        name: Type.Optional(KeyName),
        scopes: Type.Optional(Scopes),
        requests_share: Type.Optional(nullable(RequestsShare, { description: 'Null: all of them.' })),
        expires_in_seconds: Type.Optional(nullable(ExpiresIn, { description: 'From now. Null: no end.' })),
      },
      { minProperties: 1 },
    ),
    replies: {
      200: record({
        id: Type.String(),
        name: Type.String(),
        scopes: Scopes,
        requests_share: nullable(Type.Integer()),
        expires_at: nullable(timestamp()),
      }),
    },
    errors: ['not_found'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const { name, scopes, requests_share: requestsShare, expires_in_seconds: expiresInSeconds } = body;
        const changes = { name, scopes, requestsShare, expiresInSeconds };
        const { before, changed } = await rules.change(tx, principal.accountId, params.id, changes, now);
        audit.summary = `Changed the key ${changed.name}`;
        audit.change = changeOf(AuditedKey, before, changed);
        return reply(200, {
          id: changed.id,
          name: changed.name,
          scopes: changed.scopes,
          requests_share: changed.requestsShare,
          expires_at: isoOrNull(changed.expiresAt),
        });
      }),
  });

const remove = (rules: NamedKeyRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/account/keys/{id}',
    operation: 'deleteNamedKey',
    tag: TAG,
    summary: 'Delete a named key',
    description: 'It stops working at once, and its streams end.',
    auth: 'key',
    bucket: 'revoke',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    action: 'key.named_deleted',
    params: KeyId,
    replies: { 200: record({ ok: Type.Boolean() }) },
    errors: ['not_found'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        await rules.delete(tx, principal.accountId, params.id, now);
        return reply(200, { ok: true });
      }),
  });

const rotate = (rules: NamedKeyRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/keys/{id}/rotate',
    operation: 'rotateNamedKey',
    tag: TAG,
    summary: 'Replace the text of a named key',
    description:
      'Scopes and end stay. The former text works for `grace_seconds`; one from an earlier rotation ends now.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'key.named_rotated',
    params: KeyId,
    body: record({
      grace_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: GRACE_MAX_SECONDS, default: 0 })),
    }),
    replies: {
      200: record({ api_key: secret(Type.String()), key_prefix: Type.String(), previous_valid_until: timestamp() }),
    },
    errors: ['not_found'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const rotated = await rules.rotate(tx, principal.accountId, params.id, body.grace_seconds ?? 0, now);
        const { key, prefix, formerEndsAt } = rotated;
        return reply(200, { api_key: key, key_prefix: prefix, previous_valid_until: iso(formerEndsAt) });
      }),
  });

export const namedKeyRoutes = (rules: NamedKeyRules): Endpoint[] => [
  create(rules),
  change(rules),
  remove(rules),
  rotate(rules),
];
