import { seesAddress } from '../../../api/account/search-part.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { ownsAccount, type Principal } from '../../../api/principal.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { type KeyDeps, type KeyRules, listStandingKeys, type StandingKey } from './key.ts';
import { KEY_USE_DAYS, type KeyUse } from './key-use.ts';

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
    last_used_at: nullable(timestamp(), {
      description: `Of a primary or backup key only what is within the last ${KEY_USE_DAYS} days.`,
    }),
    last_used_from: nullable(
      Type.String({
        description: `The network of the last calls, a /24 or /48, kept for ${KEY_USE_DAYS} days. For a primary key or an operator session; a named key sees its own.`,
      }),
    ),
    days: Type.Array(record({ day: Type.String(), requests: Type.Integer() }), {
      description: `Its calls by UTC day, of the last ${KEY_USE_DAYS} days. Days without any are left out.`,
    }),
    status: oneOf(['active', 'expired']),
  }),
);

/** Where a key is used from is for its owner alone, as networks of the audit log are. */
const maySeeNetwork = (caller: Principal, { id }: StandingKey): boolean =>
  ownsAccount(caller) || caller.namedKeyId === id;

const keyBody = (key: StandingKey, use: KeyUse | undefined, showsNetwork: boolean) => ({
  id: key.id,
  kind: key.kind,
  name: key.name,
  key_prefix: key.prefix,
  scopes: [...key.scopes],
  addresses: key.addresses === null ? null : [...key.addresses],
  requests_share: key.requestsShare,
  created_at: iso(key.createdAt),
  expires_at: isoOrNull(key.expiresAt),
  last_used_at: isoOrNull(use?.lastUsedAt ?? key.lastUsedAt),
  last_used_from: showsNetwork ? (use?.network ?? null) : null,
  days: Array.from(use?.days ?? [], ([day, requests]) => ({ day, requests })),
  status: key.expired ? ('expired' as const) : ('active' as const),
});

const listAccountKeys = ({ database, credentials }: KeyDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/keys',
    operation: 'listAccountKeys',
    tag: TAG,
    summary: 'List the keys that stand',
    description: 'Primary, backup, then named keys, newest first. What a key did in the last minute may be missing.',
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
      // A key that is limited to addresses must not learn of others from the list.
      const keys = all.filter(({ addresses }) => seesAddress(principal, addresses));
      const uses = await credentials.keyUses.read(database, principal.accountId, now);
      return reply(200, {
        keys: keys.map((key) => keyBody(key, uses.get(key.id), maySeeNetwork(principal, key))),
      });
    },
  });

export const keyListRoutes = (rules: KeyRules, deps: KeyDeps): Endpoint[] => [
  listKeys(rules, deps),
  listAccountKeys(deps),
];
