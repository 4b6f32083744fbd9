import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, record } from '../../../api/fields.ts';
import { readPrecondition } from '../../../api/precondition.ts';
import { iso } from '../../../base/clock.ts';
import { isCurrent } from '../../../base/etag.ts';
import { Type } from '../../../base/schema.ts';
import { looksLikePlainText } from './unsealed-value.ts';
import type { VaultDeps, VaultRules } from './vault-entry.ts';
import {
  Deleted,
  DeleteQuery,
  Entry,
  KeyList,
  KeyParam,
  PutBody,
  Stored,
  VersionList,
  VersionQuery,
} from './vault-schema.ts';
import type { VaultEntry, VaultKey } from './vault-table.ts';

const TAG = 'Vault';

const etag = (version: number): string => `"${version}"`;

const entryBody = (entry: VaultEntry) => ({
  key: entry.key,
  ciphertext: entry.ciphertext,
  value: entry.ciphertext,
  metadata: entry.metadata,
  version: entry.version,
  latest_version: entry.latestVersion,
  created_at: iso(entry.createdAt),
  updated_at: iso(entry.storedAt),
});

const keyBody = (entry: VaultKey) => ({
  key: entry.key,
  version: entry.latestVersion,
  metadata: entry.metadata,
  created_at: iso(entry.createdAt),
  updated_at: iso(entry.updatedAt),
});

const plainTextWarning = (ciphertext: string, baseUrl: string) =>
  looksLikePlainText(ciphertext)
    ? {
        warning: 'This value looks like plain text, which the service can read. Seal it on your side first.',
        docs_url: `${baseUrl}/docs/vault.md#seal-and-store`,
      }
    : {};

/** The specification's path ends in a slash. The same path without it works too, because it is easy to forget. */
const list = (rules: VaultRules, { database }: VaultDeps, path: string, operation: string) =>
  endpoint({
    method: 'GET',
    path,
    operation,
    tag: TAG,
    summary: 'List the keys of the vault',
    description: 'Sorted by name, with versions and metadata but without ciphertexts. The audit log records each call.',
    auth: 'key',
    scope: 'vault:read',
    addresses: 'none',
    effect: 'none',
    action: 'vault.listed',
    query: record({ cursor: cursorParam(), limit: limitParam(1000, 1000) }),
    replies: { 200: KeyList },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = { cursor: query.cursor, limit: query.limit as number };
      const { keys, nextCursor, count, limit } = await rules.list(database, principal, page);
      const { tier } = principal;
      return reply(200, { keys: keys.map(keyBody), count, limit, tier, next_cursor: nextCursor });
    },
  });

const put = (rules: VaultRules, { baseUrl }: VaultDeps) =>
  endpoint({
    method: 'PUT',
    path: '/v1/vault/{key}',
    operation: 'putVaultEntry',
    tag: TAG,
    summary: 'Store a sealed value as a new key or a new version',
    description:
      'Seal the value on your side: the service cannot read it. The free tier keeps 3 versions of a key, the paid tier 100. Version numbers are never reused. Metadata belongs to a version and is null if you send none. `If-Match: "3"` stores only if version 3 is the latest, `If-None-Match: *` only if the key is new. At the limit of keys, a payment adds room for one.',
    auth: 'key',
    scope: 'vault:write',
    addresses: 'none',
    effect: 'write',
    leaves: [],
    action: 'vault.stored',
    params: KeyParam,
    body: PutBody,
    payable: true,
    tools: [
      {
        name: 'store_secret',
        group: 'vault',
        description:
          'Store a sealed secret as a new version; old versions go. Takes ciphertext only and refuses what is not sealed: seal it with a Signet client, or use signet mcp, which seals on your machine.',
        takes: ['key', 'ciphertext', 'metadata', 'if_version'],
        says: { ciphertext: 'The sealed value, base64url or hex. Not plain text.' },
        gives: ['key', 'stored', 'version', 'payment_id'],
        structured: true,
        destroys: true,
      },
    ],
    replies: { 201: Stored, 200: Stored },
    errors: [
      ...(['invalid_key', 'invalid_ciphertext', 'payload_too_large', 'metadata_too_large'] as const),
      ...(['version_conflict', 'storage_full'] as const),
    ],
    codes: { '/path/key': 'invalid_key', '/body/ciphertext': 'invalid_ciphertext' },
    handle: async ({ principal, params, body, now, header, dryRun, transact }) => {
      const { key } = params;
      const condition = readPrecondition(header, body.if_version);
      const { ciphertext, metadata = null } = body;
      const content = { accountId: principal.accountId, key, ciphertext, metadata };
      rules.checkSizes(content, principal.limits);
      const payment = await rules.readOffer({ header, now, dryRun }, `${baseUrl()}/v1/vault/${key}`);
      return transact(async (tx, audit) => {
        const stored = await rules.put(tx, principal, content, { condition, payment }, now);
        audit.resourceId = key;
        const { isNew, version, createdAt, updatedAt, paymentId } = stored;
        const times = { created_at: iso(createdAt), updated_at: iso(updatedAt) };
        const paid = paymentId === null ? {} : { payment_id: paymentId };
        const body = { key, stored: true, version, ...times, ...paid, ...plainTextWarning(ciphertext, baseUrl()) };
        return reply(isNew ? 201 : 200, body, { etag: etag(version) });
      });
    },
  });

const get = (rules: VaultRules, { database }: VaultDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/vault/{key}',
    operation: 'getVaultEntry',
    tag: TAG,
    summary: 'Get a sealed value',
    description: 'Returns the latest version or the one in `version`. The audit log records each read.',
    auth: 'key',
    scope: 'vault:read',
    addresses: 'none',
    effect: 'none',
    action: 'vault.read',
    params: KeyParam,
    query: VersionQuery,
    tools: [
      {
        name: 'read_secret',
        group: 'vault',
        description: 'Get a sealed secret. The value is ciphertext: open it with a Signet client.',
        takes: ['key', 'version'],
        gives: ['key', 'ciphertext', 'metadata', 'version', 'latest_version', 'updated_at'],
      },
    ],
    replies: {
      200: Entry,
      304: Type.Null({ description: 'The version has not changed since the one in `If-None-Match`.' }),
    },
    errors: ['invalid_key', 'invalid_version', 'not_found', 'version_not_found'],
    codes: { '/path/key': 'invalid_key', '/query/version': 'invalid_version' },
    handle: async ({ principal, params, query, header }) => {
      const ref = { accountId: principal.accountId, key: params.key };
      const entry = await rules.get(database, ref, query.version);
      const headers = { etag: etag(entry.version) };
      if (isCurrent(header('if-none-match'), headers.etag)) return reply(304, null, headers);
      return reply(200, entryBody(entry), headers);
    },
  });

const versions = (rules: VaultRules, { database }: VaultDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/vault/{key}/versions',
    operation: 'listVaultVersions',
    tag: TAG,
    summary: 'List the versions of a key',
    description: 'Without ciphertexts. To restore one, store its ciphertext again.',
    auth: 'key',
    scope: 'vault:read',
    addresses: 'none',
    effect: 'none',
    action: 'vault.listed',
    params: KeyParam,
    replies: { 200: VersionList },
    errors: ['invalid_key', 'not_found'],
    codes: { '/path/key': 'invalid_key' },
    handle: async ({ principal, params: { key } }) => {
      const found = await rules.versions(database, { accountId: principal.accountId, key });
      const entries = found.map(({ version, metadata, storedAt }) => ({ version, metadata, stored_at: iso(storedAt) }));
      return reply(200, { key, versions: entries });
    },
  });

const remove = (rules: VaultRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/vault/{key}',
    operation: 'deleteVaultEntry',
    tag: TAG,
    summary: 'Delete a key or one of its versions',
    description:
      'When you delete the latest version, the version before it becomes the latest. The number of a deleted version is not reused. Deleting the last version deletes the key. `If-Match` works as for PUT.',
    auth: 'key',
    scope: 'vault:write',
    addresses: 'none',
    effect: 'write',
    leaves: [],
    action: 'vault.deleted',
    params: KeyParam,
    query: DeleteQuery,
    replies: { 200: Deleted },
    errors: ['invalid_key', 'invalid_version', 'not_found', 'version_not_found', 'version_conflict'],
    codes: { '/path/key': 'invalid_key', '/query/version': 'invalid_version' },
    handle: async ({ principal, params, query, now, header, transact }) => {
      const ref = { accountId: principal.accountId, key: params.key };
      const removal = { version: query.version, condition: readPrecondition(header, undefined) };
      return transact(async (tx, audit) => {
        const removed = await rules.remove(tx, ref, removal, now);
        audit.resourceId = ref.key;
        return reply(200, { key: ref.key, deleted: true, versions_removed: removed });
      });
    },
  });

export const vaultRoutes = (rules: VaultRules, deps: VaultDeps): Endpoint[] => [
  list(rules, deps, '/v1/vault/', 'listVaultKeys'),
  list(rules, deps, '/v1/vault', 'listVaultKeysAlias'),
  put(rules, deps),
  get(rules, deps),
  versions(rules, deps),
  remove(rules),
];
