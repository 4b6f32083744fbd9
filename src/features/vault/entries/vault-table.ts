import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What a client stores beside a ciphertext, unencrypted. */
export type Metadata = Record<string, unknown>;

/** A key of a vault: all that a list shows, and no ciphertext. */
export const VAULT_ENTRIES = table(
  'vault_entries',
  {
    accountId: exported.text('account_id'),
    key: exported.text('key'),
    latestVersion: exported.integer('latest_version'),
    /** The highest number given so far. The number of a deleted version is not given again. */
    lastVersion: exported.integer('last_version'),
    /** How many versions are kept. */
    versions: exported.integer('versions'),
    /** A copy of the latest version's, so that a list reads small rows only. */
    metadata: exported.json<Metadata>()('metadata').orNull(),
    createdAt: exported.integer('created_at'),
    /** When the latest version was stored. */
    updatedAt: exported.integer('updated_at'),
  },
  {
    key: ['accountId', 'key'],
    account: ['accountId'],
    erase: 'delete',
    search: [
      {
        kind: 'secret',
        by: 'accountId',
        order: 'key',
        texts: ['key'],
        reads: ['updatedAt'],
        shown: ({ key, updatedAt }) => ({ id: key, title: key, at: updatedAt, place: ['vault', key] }),
      },
    ],
  },
);
export type VaultKey = RecordOf<typeof VAULT_ENTRIES>;

/** One version of an entry: the ciphertext and what belongs to it. */
export const VAULT_VERSIONS = table(
  'vault_versions',
  {
    accountId: exported.text('account_id'),
    key: exported.text('key'),
    version: exported.integer('version'),
    ciphertext: exported.text('ciphertext'),
    metadata: exported.json<Metadata>()('metadata').orNull(),
    storedAt: exported.integer('created_at'),
  },
  { key: ['accountId', 'key', 'version'], account: ['accountId'], erase: 'delete' },
);
export type VaultVersion = RecordOf<typeof VAULT_VERSIONS>;

/** A version to be stored: everything but its number and time. */
export type NewVersion = Omit<VaultVersion, 'version' | 'storedAt'>;

/** A version with the columns of its entry. */
export interface VaultEntry extends VaultVersion {
  latestVersion: number;
  /** When the key was created. */
  createdAt: number;
}
