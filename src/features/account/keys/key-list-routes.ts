import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import type { Principal } from '../../../api/principal.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { type KeyDeps, type KeyRules, listStandingKeys, type StandingKey } from './key.ts';

const TAG = 'Accounts';

const KeyEntry = named(
  'Key',
  record({
    prefix: Type.String(),
    status: oneOf(['active', 'backup', 'revoked']),
    label: nullable(Type.String()),
    created_at: timestamp(),
    activated_at: nullable(timestamp(), { description: 'Null before activation.' }),
  }),
);

const listKeys = (rules: KeyRules, { database }: KeyDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/auth/keys/list',
    operation: 'listKeys',
    tag: TAG,
    summary: 'List keys',
    description: 'Newest first, at most 200, revoked keys included. The keys themselves are never shown.',
    model: false,
    auth: 'key',
    scope: 'account:read',
    addresses: 'none',
    effect: 'none',
    bucket: 'inspect',
    replies: { 200: record({ account_id: Type.String(), keys: Type.Array(KeyEntry) }) },
    errors: [],
    handle: async ({ principal }) => {
      const keys = await rules.list(database, principal.accountId);
      return reply(200, {
        account_id: principal.accountId,
        keys: keys.map((key) => ({
          prefix: key.prefix,
          status: key.status,
          label: key.label,
          created_at: iso(key.createdAt),
          activated_at: isoOrNull(key.activatedAt),
        })),
      });
    },
  });

const AccountKey = named(
  'AccountKey',
  record({
    id: Type.String(),
    kind: oneOf(['primary', 'backup', 'named']),
    name: nullable(Type.String()),
    key_prefix: Type.String(),
    scopes: Type.Array(named('Scope', oneOf(SCOPE_NAMES))),
    addresses: nullable(Type.Array(Type.String())),
    requests_share: nullable(Type.Integer()),
    created_at: timestamp(),
    expires_at: nullable(timestamp()),
    last_used_at: nullable(timestamp(), { description: 'Known for named keys only.' }),
    status: oneOf(['active', 'expired']),
  }),
);

const keyBody = (key: StandingKey, lastUsedAt: number | null) => ({
  id: key.id,
  kind: key.kind,
  name: key.name,
  key_prefix: key.prefix,
  scopes: [...key.scopes],
  addresses: key.addresses === null ? null : [...key.addresses],
  requests_share: key.requestsShare,
  created_at: iso(key.createdAt),
  expires_at: isoOrNull(key.expiresAt),
  last_used_at: isoOrNull(lastUsedAt),
  status: key.expired ? ('expired' as const) : ('active' as const),
});

/** A key that is limited to addresses must not learn of others from the list. */
const maySee = ({ addresses: own }: Principal, { addresses }: StandingKey): boolean =>
  own === null || (addresses?.every((address) => own.includes(address)) ?? false);

const listAccountKeys = ({ database, credentials }: KeyDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/keys',
    operation: 'listAccountKeys',
    tag: TAG,
    summary: 'List the keys that stand',
    description: 'Primary, backup, then named keys, newest first.',
    model: false,
    auth: 'key',
    scope: 'account:read',
    addresses: 'filtered',
    whileSuspended: true,
    effect: 'none',
    bucket: 'inspect',
    replies: { 200: record({ keys: Type.Array(AccountKey) }) },
    errors: [],
    handle: async ({ principal, now }) => {
      const all = await listStandingKeys(database, principal.accountId, now);
      const keys = all.filter((key) => maySee(principal, key));
      return reply(200, { keys: keys.map((key) => keyBody(key, credentials.lastKeyUse(key.id) ?? key.lastUsedAt)) });
    },
  });

export const keyListRoutes = (rules: KeyRules, deps: KeyDeps): Endpoint[] => [
  listKeys(rules, deps),
  listAccountKeys(deps),
];
