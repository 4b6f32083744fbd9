import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** What a client stores beside a ciphertext, unencrypted. */
export type Metadata = Record<string, unknown>;

/** A key of a vault: all that a list shows, and no ciphertext. */
export const VAULT_ENTRIES = columnMap({
  accountId: column.text('account_id'),
  key: column.text('key'),
  latestVersion: column.integer('latest_version'),
  /** The highest number given so far. The number of a deleted version is not given again. */
  lastVersion: column.integer('last_version'),
  /** How many versions are kept. */
  versions: column.integer('versions'),
  /** A copy of the latest version's, so that a list reads small rows only. */
  metadata: column.json<Metadata>()('metadata').orNull(),
  createdAt: column.integer('created_at'),
  /** When the latest version was stored. */
  updatedAt: column.integer('updated_at'),
});
export type VaultKey = RecordOf<typeof VAULT_ENTRIES>;

/** One version of an entry: the ciphertext and what belongs to it. */
export const VAULT_VERSIONS = columnMap({
  accountId: column.text('account_id'),
  key: column.text('key'),
  version: column.integer('version'),
  ciphertext: column.text('ciphertext'),
  metadata: column.json<Metadata>()('metadata').orNull(),
  storedAt: column.integer('created_at'),
});
export type VaultVersion = RecordOf<typeof VAULT_VERSIONS>;

/** A version to be stored: everything but its number and time. */
export type NewVersion = Omit<VaultVersion, 'version' | 'storedAt'>;

/** A version with the columns of its entry. */
export interface VaultEntry extends VaultVersion {
  latestVersion: number;
  /** When the key was created. */
  createdAt: number;
}
