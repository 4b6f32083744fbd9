import type { Scope } from '../../../api/scopes.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const NAMED_KEYS = table(
  'named_keys',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    /** The first characters of the current key. */
    prefix: exported.text('prefix'),
    name: exported.text('name'),
    scopes: exported.json<Scope[]>()('scopes'),
    /** The addresses that the key is limited to, as they are stored. Null: every address. */
    addresses: exported.json<string[]>()('addresses').orNull(),
    /** In percent of the requests that named keys and clients share. Null: all of them. */
    requestsShare: exported.integer('requests_share').orNull(),
    createdAt: exported.integer('created_at'),
    /** Null: the key has no end. */
    expiresAt: exported.integer('expires_at').orNull(),
    /** Up to a minute old, see `KeyUses`. */
    lastUsedAt: exported.integer('last_used_at').orNull(),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: 'delete',
    search: [
      {
        kind: 'key',
        by: 'accountId',
        order: 'id',
        texts: ['name', 'prefix'],
        reads: ['createdAt'],
        address: 'addresses',
        shown: ({ id, name, createdAt }) => ({ id, title: name, at: createdAt, place: ['keys'] }),
      },
    ],
  },
);
export type NamedKey = RecordOf<typeof NAMED_KEYS>;

export const NAMED_KEY_SECRETS = table(
  'named_key_secrets',
  {
    /** SHA-256 of the key. The key itself is not stored. */
    hash: column.text('hash'),
    keyId: column.text('key_id'),
    prefix: column.text('prefix'),
    /** Null for the current key. For the one before it: the end of its grace period. */
    validUntil: column.integer('valid_until').orNull(),
  },
  { key: ['hash'], account: [{ field: 'keyId', of: NAMED_KEYS, account: 'accountId' }], erase: 'delete' },
);
export type NamedKeySecret = RecordOf<typeof NAMED_KEY_SECRETS>;

/** What a presented key opens. */
export interface PresentedKey {
  id: string;
  accountId: string;
  name: string;
  scopes: Scope[];
  /** Null: every address. */
  addresses: string[] | null;
  requestsShare: number | null;
  /** The first characters of the presented key. */
  prefix: string;
  /** Milliseconds since the epoch, or Infinity. */
  endsAt: number;
}
