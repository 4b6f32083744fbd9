import type { Scope } from '../../../api/scopes.ts';
import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

export const NAMED_KEYS = columnMap({
  id: column.text('id'),
  accountId: column.text('account_id'),
  /** The first characters of the current key. */
  prefix: column.text('prefix'),
  name: column.text('name'),
  scopes: column.json<Scope[]>()('scopes'),
  /** The addresses that the key is limited to, as they are stored. Null: every address. */
  addresses: column.json<string[]>()('addresses').orNull(),
  createdAt: column.integer('created_at'),
  /** Null: the key has no end. */
  expiresAt: column.integer('expires_at').orNull(),
  /** Up to a minute old, see `Credentials.saveKeyUse`. */
  lastUsedAt: column.integer('last_used_at').orNull(),
});
export type NamedKey = RecordOf<typeof NAMED_KEYS>;

export const NAMED_KEY_SECRETS = columnMap({
  /** SHA-256 of the key. The key itself is not stored. */
  hash: column.text('hash'),
  keyId: column.text('key_id'),
  prefix: column.text('prefix'),
  /** Null for the current key. For the one before it: the end of its grace period. */
  validUntil: column.integer('valid_until').orNull(),
});
export type NamedKeySecret = RecordOf<typeof NAMED_KEY_SECRETS>;

/** What a presented key opens. */
export interface PresentedKey {
  id: string;
  accountId: string;
  scopes: Scope[];
  /** Null: every address. */
  addresses: string[] | null;
  /** The first characters of the presented key. */
  prefix: string;
  /** Milliseconds since the epoch, or Infinity. */
  endsAt: number;
}
