import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { cursorParam, limitParam, record } from '../../kernel/fields.ts';
import { isTagged, readPrecondition } from '../../kernel/precondition.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { VaultEntry, VaultRules } from './vault-rules.ts';
import { Deleted, Entry, KeyList, KeyParam, PutBody, Stored, VersionQuery } from './vault-schema.ts';

export interface VaultRouteDeps {
  rules: VaultRules;
  database: Reader;
  baseUrl(): string;
}

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
  updated_at: iso(entry.updatedAt),
});

/** The list's path as the specification has it, and without the slash that is easily forgotten. */
const list = ({ rules, database }: VaultRouteDeps, path: string, operation: string) =>
  endpoint({
    method: 'GET',
    path,
    operation,
    tag: TAG,
    summary: 'The keys of this vault, in order of their names',
    description: 'Names, versions and metadata; never what is sealed. The list itself is put on record.',
    auth: 'key',
    effect: 'none',
    action: 'vault.listed',
    query: record({ cursor: cursorParam(), limit: limitParam(1000, 1000) }),
    replies: { 200: KeyList },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const { keys, nextCursor, count, limit } = await rules.list(
        database,
        principal,
        query.cursor,
        query.limit as number,
      );
      return reply(200, {
        keys: keys.map(({ key, version, metadata, createdAt, updatedAt }) => ({
          key,
          version,
          metadata,
          created_at: iso(createdAt),
          updated_at: iso(updatedAt),
        })),
        count,
        limit,
        tier: principal.tier,
        next_cursor: nextCursor,
      });
    },
  });

const put = ({ rules, baseUrl }: VaultRouteDeps) =>
  endpoint({
    method: 'PUT',
    path: '/v1/vault/{key}',
    operation: 'putVaultEntry',
    tag: TAG,
    summary: 'Store a sealed value, as a new key or a new version',
    description:
      'Earlier versions stay, as many as the tier keeps (3 free, 100 paid); their numbers are never given again. `If-Match: "3"` stores only over version 3, `If-None-Match: *` only a new key. Seal it first: the service cannot, and must not be able to, read it. Metadata belongs to the version: what is not sent is null. Over the limit of keys, `X-PAYMENT` buys room for one more.',
    auth: 'key',
    effect: 'write',
    action: 'vault.stored',
    params: KeyParam,
    body: PutBody,
    payable: true,
    replies: { 201: Stored, 200: Stored },
    errors: ['invalid_key', 'invalid_ciphertext', 'payload_too_large', 'metadata_too_large', 'version_conflict'],
    codes: { '/path/key': 'invalid_key', '/body/ciphertext': 'invalid_ciphertext' },
    handle: async ({ principal, params, body, now, header, transact }) => {
      const { key } = params;
      const condition = readPrecondition(header, body.if_version);
      const request = { key, ciphertext: body.ciphertext, metadata: body.metadata ?? null, condition };
      rules.checkSizes(request, principal.tier);
      const postage = await rules.postage({ header, now }, `${baseUrl()}/v1/vault/${key}`);
      return transact(async (tx, audit) => {
        const { isNew, version, createdAt, updatedAt, paymentId } = await rules.put(
          tx,
          principal,
          request,
          postage,
          now,
        );
        audit.resourceId = key;
        const times = { created_at: iso(createdAt), updated_at: iso(updatedAt) };
        const paid = paymentId === null ? {} : { payment_id: paymentId };
        const stored = { key, stored: true, version, ...times, ...paid };
        return reply(isNew ? 201 : 200, stored, { etag: etag(version) });
      });
    },
  });

const get = ({ rules, database }: VaultRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/vault/{key}',
    operation: 'getVaultEntry',
    tag: TAG,
    summary: 'A sealed value',
    description: 'The latest version, or the one asked for. Who read what is put on record.',
    auth: 'key',
    effect: 'none',
    action: 'vault.read',
    params: KeyParam,
    query: VersionQuery,
    replies: {
      200: Entry,
      304: Type.Null({ description: 'The version named by `If-None-Match` is still what this answers.' }),
    },
    errors: ['invalid_key', 'invalid_version', 'not_found', 'version_not_found'],
    codes: { '/path/key': 'invalid_key', '/query/version': 'invalid_version' },
    handle: async ({ principal, params, query, header }) => {
      const entry = await rules.get(database, principal.accountId, params.key, query.version);
      const headers = { etag: etag(entry.version) };
      if (isTagged(header('if-none-match'), entry.version)) return reply(304, null, headers);
      return reply(200, entryBody(entry), headers);
    },
  });

const remove = ({ rules }: VaultRouteDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/vault/{key}',
    operation: 'deleteVaultEntry',
    tag: TAG,
    summary: 'Forget a key, or one version of it',
    description:
      'With the newest version gone, the one before is the latest again, and the next to be stored still gets a new number. With the last one gone, so is the key. `If-Match` holds here too.',
    auth: 'key',
    effect: 'write',
    action: 'vault.deleted',
    params: KeyParam,
    query: VersionQuery,
    replies: { 200: Deleted },
    errors: ['invalid_key', 'invalid_version', 'not_found', 'version_not_found', 'version_conflict'],
    codes: { '/path/key': 'invalid_key', '/query/version': 'invalid_version' },
    handle: async ({ principal, params, query, now, header, transact }) => {
      const target = { key: params.key, version: query.version, condition: readPrecondition(header, undefined) };
      return transact(async (tx, audit) => {
        const removed = await rules.remove(tx, principal.accountId, target, now);
        audit.resourceId = params.key;
        return reply(200, { key: params.key, deleted: true, versions_removed: removed });
      });
    },
  });

export const vaultRoutes = (deps: VaultRouteDeps): Endpoint[] => [
  list(deps, '/v1/vault/', 'listVaultKeys'),
  list(deps, '/v1/vault', 'listVaultKeysAlias'),
  put(deps),
  get(deps),
  remove(deps),
];
