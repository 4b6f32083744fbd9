import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

export const AUDIT_ENTRIES = columnMap({
  accountId: column.text('account_id'),
  /** 1 for the first entry of a chain. */
  seq: column.integer('seq'),
  /** Canonical JSON, which the hash covers. */
  entry: column.text('entry'),
  action: column.text('action'),
  createdAt: column.integer('created_at'),
  /** The same for a change that its owner looks through when the account is secured. Null for every other entry. */
  changedAt: column.integer('changed_at').orNull(),
  prevHash: column.text('prev_hash'),
  /** SHA-256 of `entry`, hex. */
  hash: column.text('hash'),
});
export type StoredEntry = RecordOf<typeof AUDIT_ENTRIES>;

/** A signature over a chain, made when `seq` was its last entry. The API calls it a seal. */
export const CHECKPOINTS = columnMap({
  accountId: column.text('account_id'),
  seq: column.integer('seq'),
  /** SHA-256 of that entry, hex. */
  hash: column.text('hash'),
  /** The key that signed. */
  kid: column.text('kid'),
  /** Ed25519, base64url. */
  signature: column.text('signature'),
  signedAt: column.integer('sealed_at'),
});
export type Checkpoint = RecordOf<typeof CHECKPOINTS>;
