import type { Kysely } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import {
  type NewVersion,
  VAULT_ENTRIES,
  VAULT_VERSIONS,
  type VaultEntry,
  type VaultKey,
  type VaultVersion,
} from './vault-table.ts';

type EntryRow = RowOf<typeof VAULT_ENTRIES>;
type VersionRow = RowOf<typeof VAULT_VERSIONS>;

interface Tables {
  vault_entries: EntryRow;
  vault_versions: VersionRow;
}

const sql = tables<Tables>();

/** Names one entry. */
export type EntryRef = Pick<VaultKey, 'accountId' | 'key'>;

type EntryId = Pick<EntryRow, 'account_id' | 'key'>;

const paramsOf = ({ accountId, key }: EntryRef): EntryId => ({ account_id: accountId, key });

/** The parameters of a statement cannot be spread, so they are named. */
const idOf = (p: EntryId): EntryId => ({ account_id: p.account_id, key: p.key });

// ---- Read

const VERSION_COLUMNS = VAULT_VERSIONS.names.map((name) => `v.${name}` as const);

/** Versions joined with their entries: the latest of each, or the version `p.version`. */
const joined = (q: Kysely<Tables>, p?: { version: number }) =>
  q
    .selectFrom('vault_entries as e')
    .innerJoin('vault_versions as v', (on) => {
      const ofEntry = on.onRef('v.account_id', '=', 'e.account_id').onRef('v.key', '=', 'e.key');
      return p ? ofEntry.on('v.version', '=', p.version) : ofEntry.onRef('v.version', '=', 'e.latest_version');
    })
    .select(VERSION_COLUMNS)
    .select(['e.latest_version', 'e.created_at as entry_created_at']);

const entryFromRow = (row: VersionRow & { latest_version: number; entry_created_at: number }): VaultEntry => ({
  ...VAULT_VERSIONS.fromRow(row),
  latestVersion: row.latest_version,
  createdAt: row.entry_created_at,
});

const latestOfEntry = sql((q, p: EntryId) =>
  joined(q).where('e.account_id', '=', p.account_id).where('e.key', '=', p.key),
);

const versionOfEntry = sql((q, p: EntryId & { version: number }) =>
  joined(q, p).where('e.account_id', '=', p.account_id).where('e.key', '=', p.key),
);

const latestAfter = sql((q, p: EntryId & { limit: number }) =>
  joined(q).where('e.account_id', '=', p.account_id).where('e.key', '>', p.key).orderBy('e.key').limit(p.limit),
);

export async function findLatest(reader: Reader, ref: EntryRef): Promise<VaultEntry | null> {
  const row = await reader.first(latestOfEntry, paramsOf(ref));
  return row ? entryFromRow(row) : null;
}

export async function findVersion(reader: Reader, ref: EntryRef, version: number): Promise<VaultEntry | null> {
  const row = await reader.first(versionOfEntry, { ...paramsOf(ref), version });
  return row ? entryFromRow(row) : null;
}

const versionsOf = sql((q, p: EntryId) =>
  q
    .selectFrom('vault_versions')
    .select(['version', 'metadata', 'created_at'])
    .where((eb) => eb.and(idOf(p)))
    .orderBy('version', 'desc'),
);

/** A version without its ciphertext. */
export type VersionAbout = Pick<VaultVersion, 'version' | 'metadata' | 'storedAt'>;

/** Lists the versions of an entry, newest first: no more than the tier keeps. */
export const listVersions = async (reader: Reader, ref: EntryRef): Promise<VersionAbout[]> =>
  (await reader.all(versionsOf, paramsOf(ref))).map(({ version, metadata, created_at: storedAt }) => ({
    version,
    metadata: VAULT_VERSIONS.columns.metadata.read(metadata),
    storedAt,
  }));

/** Lists an account's keys after one of them, in the order of their names. */
export const listKeysAfter = VAULT_ENTRIES.after(['accountId']);

/** Lists the latest versions of an account's keys after `after`, in the order of their names. */
export const listEntriesAfter = async (reader: Reader, after: EntryRef, limit: number): Promise<VaultEntry[]> =>
  (await reader.all(latestAfter, { ...paramsOf(after), limit })).map(entryFromRow);

// ---- Store a version

/**
 * Creates the entry or counts its next version, in one statement: parallel writers of a key get numbers without gaps. An
 * entry with `keep` versions or more does not get one more.
 */
const countVersion = sql((q, p: EntryRow & { keep: number }) =>
  q
    .insertInto('vault_entries')
    .values(VAULT_ENTRIES.values(p))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key']).doUpdateSet((eb) => ({
        latest_version: eb('vault_entries.last_version', '+', 1),
        last_version: eb('vault_entries.last_version', '+', 1),
        versions: eb
          .case()
          .when('vault_entries.versions', '<', p.keep)
          .then(eb('vault_entries.versions', '+', 1))
          .else(eb.ref('vault_entries.versions'))
          .end(),
        metadata: eb.ref('excluded.metadata'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .returning(VAULT_ENTRIES.names),
);

const insertVersion = VAULT_VERSIONS.insert();

/** Puts the newest version in the place of the oldest, where an entry has `keep`: cheaper than to delete one and add one. */
const replaceOldest = sql((q, p: VersionRow & { keep: number }) =>
  q
    .updateTable('vault_versions')
    .set({ version: p.version, ciphertext: p.ciphertext, metadata: p.metadata, created_at: p.created_at })
    .where((eb) => eb.and(idOf(p)))
    .where('version', '=', (eb) =>
      eb
        .selectFrom('vault_versions')
        .select((of) => of.fn.min('version').as('oldest'))
        .where((of) => of.and(idOf(p)))
        .having((of) => of.fn.countAll(), '>=', p.keep),
    ),
);

/**
 * Stores the next version and keeps the newest `keep`. Their numbers may have gaps.
 * @returns the entry with this version as its latest: number 1 for a new entry
 */
export async function addVersion(tx: Tx, content: NewVersion, keep: number, now: number): Promise<VaultKey> {
  const { accountId, key, metadata } = content;
  const counts = { latestVersion: 1, lastVersion: 1, versions: 1 };
  const entry = { accountId, key, ...counts, metadata, createdAt: now, updatedAt: now };
  const row = await tx.first(countVersion, { ...VAULT_ENTRIES.toRow(entry), keep });
  if (!row) throw new Error('an upsert returned no row');
  const stored = VAULT_ENTRIES.fromRow(row);
  const version = { ...content, version: stored.latestVersion, storedAt: now };
  // One that has just reached the limit still has a place free.
  if (stored.versions === keep && (await tx.run(replaceOldest, { ...VAULT_VERSIONS.toRow(version), keep })) > 0)
    return stored;
  await insertVersion(tx, version);
  if (stored.versions > keep) await pruneVersions(tx, stored, keep);
  return stored;
}

const deleteOldest = sql((q, p: EntryId & { limit: number }) =>
  q
    .deleteFrom('vault_versions')
    .where((eb) => eb.and(idOf(p)))
    .where('version', 'in', (eb) =>
      eb
        .selectFrom('vault_versions')
        .select('version')
        .where((of) => of.and(idOf(p)))
        .orderBy('version')
        .limit(p.limit),
    ),
);

const setVersions = VAULT_ENTRIES.patch(['versions']);

/** Deletes the oldest versions of an entry that has one more than it counts: its tier has become smaller. */
async function pruneVersions(tx: Tx, { versions, ...ref }: VaultKey, keep: number): Promise<void> {
  await tx.run(deleteOldest, { ...paramsOf(ref), limit: versions + 1 - keep });
  await setVersions(tx, { ...ref, versions: keep });
}

// ---- Lock and delete

/** Reads an entry and keeps others from changing it until the transaction ends. */
export const lockEntry = VAULT_ENTRIES.lock();
const deleteEntry = VAULT_ENTRIES.remove();
const deleteVersion = VAULT_VERSIONS.remove();
const deleteVersions = VAULT_VERSIONS.remove(['accountId', 'key']);

/** Deletes an entry with every version. */
export async function removeEntry(tx: Tx, { accountId, key }: EntryRef): Promise<void> {
  await deleteVersions(tx, accountId, key);
  await deleteEntry(tx, accountId, key);
}

const newestVersion = sql((q, p: EntryId) =>
  q
    .selectFrom('vault_versions')
    .select(['version', 'metadata', 'created_at'])
    .where((eb) => eb.and(idOf(p)))
    .orderBy('version', 'desc')
    .limit(1),
);

const setLatest = VAULT_ENTRIES.patch(['latestVersion', 'versions', 'metadata', 'updatedAt']);

/**
 * Deletes one version of an entry that keeps others. The newest of them becomes the latest.
 * @returns false when there was no such version
 */
export async function removeVersion(tx: Tx, { versions, ...ref }: VaultKey, version: number): Promise<boolean> {
  if ((await deleteVersion(tx, ref.accountId, ref.key, version)) === 0) return false;
  const newest = await tx.first(newestVersion, paramsOf(ref));
  if (!newest) throw new Error('the last version of an entry goes with the entry');
  const { version: latestVersion, created_at: updatedAt } = newest;
  const metadata = VAULT_ENTRIES.columns.metadata.read(newest.metadata);
  await setLatest(tx, { ...ref, latestVersion, versions: versions - 1, metadata, updatedAt });
  return true;
}
