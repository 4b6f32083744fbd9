import type { Kysely } from 'kysely';
import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Tables {
  vault_entries: {
    account_id: string;
    key: string;
    latest_version: number;
    last_version: number;
    versions: number;
    metadata: string | null;
    created_at: number;
    updated_at: number;
  };
  vault_versions: {
    account_id: string;
    key: string;
    version: number;
    ciphertext: string;
    metadata: string | null;
    created_at: number;
  };
}

const sql = tables<Tables>();

interface EntryId {
  account_id: string;
  key: string;
}

/** Which entry. */
export interface EntryRef {
  accountId: string;
  key: string;
}

const paramsOf = ({ accountId, key }: EntryRef): EntryId => ({ account_id: accountId, key });

/** The members of `p` are slots while a statement is compiled, so they cannot be spread. */
const idOf = (p: EntryId): EntryId => ({ account_id: p.account_id, key: p.key });

/** An entry as lists show it. */
export interface VaultKey {
  key: string;
  version: number;
  metadata: Record<string, unknown> | null;
  createdAt: number;
  /** When this version was stored. */
  updatedAt: number;
}

/** One version of an entry, whole. */
export interface VaultEntry extends VaultKey {
  ciphertext: string;
  latestVersion: number;
}

const metadataOf = (json: string | null): Record<string, unknown> | null =>
  json === null ? null : (JSON.parse(json) as Record<string, unknown>);

const withLatest = (q: Kysely<Tables>) =>
  q
    .selectFrom('vault_entries as e')
    .innerJoin('vault_versions as v', (on) =>
      on
        .onRef('v.account_id', '=', 'e.account_id')
        .onRef('v.key', '=', 'e.key')
        .onRef('v.version', '=', 'e.latest_version'),
    )
    .select(['e.key', 'e.latest_version', 'e.created_at', 'v.version', 'v.ciphertext', 'v.metadata'])
    .select('v.created_at as updated_at');

const latestEntry = sql((q, p: EntryId) =>
  withLatest(q).where('e.account_id', '=', p.account_id).where('e.key', '=', p.key),
);

/** The columns of the version are null where the entry is there and the version is not. */
const entryAtVersion = sql((q, p: EntryId & { version: number }) =>
  q
    .selectFrom('vault_entries as e')
    .leftJoin('vault_versions as v', (on) =>
      on.onRef('v.account_id', '=', 'e.account_id').onRef('v.key', '=', 'e.key').on('v.version', '=', p.version),
    )
    .select(['e.latest_version', 'e.created_at', 'v.version', 'v.ciphertext', 'v.metadata'])
    .select('v.created_at as updated_at')
    .where('e.account_id', '=', p.account_id)
    .where('e.key', '=', p.key),
);

interface EntryRow {
  latest_version: number;
  created_at: number;
  version: number | null;
  ciphertext: string | null;
  metadata: string | null;
  updated_at: number | null;
}

const toEntry = (key: string, row: EntryRow): VaultEntry => ({
  key,
  version: row.version as number,
  latestVersion: row.latest_version,
  ciphertext: row.ciphertext as string,
  metadata: metadataOf(row.metadata),
  createdAt: row.created_at,
  updatedAt: row.updated_at as number,
});

export async function findLatest(reader: Reader, ref: EntryRef): Promise<VaultEntry | null> {
  const row = await reader.first(latestEntry, paramsOf(ref));
  return row ? toEntry(ref.key, row) : null;
}

/** Tells an entry that is not there from a version that is not. */
export async function findVersion(
  reader: Reader,
  ref: EntryRef,
  version: number,
): Promise<VaultEntry | 'no entry' | 'no version'> {
  const row = await reader.first(entryAtVersion, { ...paramsOf(ref), version });
  if (!row) return 'no entry';
  return row.version === null ? 'no version' : toEntry(ref.key, row);
}

const keysAfter = sql((q, p: EntryId & { limit: number }) =>
  q
    .selectFrom('vault_entries')
    .select(['key', 'latest_version', 'metadata', 'created_at', 'updated_at'])
    .where('account_id', '=', p.account_id)
    .where('key', '>', p.key)
    .orderBy('key')
    .limit(p.limit),
);

/** A page of an account's keys behind `after`, without what they hold. */
export const listKeysAfter = async (reader: Reader, after: EntryRef, limit: number): Promise<VaultKey[]> =>
  (await reader.all(keysAfter, { ...paramsOf(after), limit })).map((row) => ({
    key: row.key,
    version: row.latest_version,
    metadata: metadataOf(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));

const entriesAfter = sql((q, p: EntryId & { limit: number }) =>
  withLatest(q).where('e.account_id', '=', p.account_id).where('e.key', '>', p.key).orderBy('e.key').limit(p.limit),
);

/** The same with what they hold, for whoever recovers an account. */
export const listEntriesAfter = async (reader: Reader, after: EntryRef, limit: number): Promise<VaultEntry[]> =>
  (await reader.all(entriesAfter, { ...paramsOf(after), limit })).map((row) => toEntry(row.key, row));

/** Makes the entry or its next version in one statement: writers of one key take turns on its row, numbers are gapless. */
const nextVersion = sql((q, p: EntryId & { metadata: string | null; now: number }) =>
  q
    .insertInto('vault_entries')
    .values({
      account_id: p.account_id,
      key: p.key,
      latest_version: 1,
      last_version: 1,
      versions: 1,
      metadata: p.metadata,
      created_at: p.now,
      updated_at: p.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key']).doUpdateSet((eb) => ({
        latest_version: eb('vault_entries.last_version', '+', 1),
        last_version: eb('vault_entries.last_version', '+', 1),
        versions: eb('vault_entries.versions', '+', 1),
        metadata: eb.ref('excluded.metadata'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .returning(['latest_version', 'versions', 'created_at']),
);

const insertVersion = sql((q, p: Tables['vault_versions']) =>
  q.insertInto('vault_versions').values({
    account_id: p.account_id,
    key: p.key,
    version: p.version,
    ciphertext: p.ciphertext,
    metadata: p.metadata,
    created_at: p.created_at,
  }),
);

/** @returns the number it was given, 1 for a new entry, and how many versions the entry has with it */
export async function addVersion(
  tx: Tx,
  ref: EntryRef,
  content: Pick<VaultEntry, 'ciphertext' | 'metadata'>,
  now: number,
) {
  const metadata = content.metadata === null ? null : JSON.stringify(content.metadata);
  const id = paramsOf(ref);
  const row = await tx.first(nextVersion, { ...id, metadata, now });
  if (!row) throw new Error('an upsert returned no row');
  const { latest_version: version, versions, created_at: createdAt } = row;
  await tx.run(insertVersion, { ...id, version, ciphertext: content.ciphertext, metadata, created_at: now });
  return { version, versions, createdAt };
}

const lockEntry = sql((q, p: EntryId, engine) => {
  const query = q
    .selectFrom('vault_entries')
    .select(['latest_version as latest', 'versions'])
    .where((eb) => eb.and(idOf(p)));
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** The entry's newest version and how many it has, locked; null when there is none. */
export const lockVersions = async (tx: Tx, ref: EntryRef): Promise<{ latest: number; versions: number } | null> =>
  (await tx.first(lockEntry, paramsOf(ref))) ?? null;

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

const deleteUpTo = sql((q, p: EntryId & { version: number }) =>
  q
    .deleteFrom('vault_versions')
    .where((eb) => eb.and(idOf(p)))
    .where('version', '<=', p.version),
);

const setVersions = sql((q, p: EntryId & { versions: number }) =>
  q
    .updateTable('vault_entries')
    .set({ versions: p.versions })
    .where((eb) => eb.and(idOf(p))),
);

/** Forgets all but the newest `keep` of an entry that has `versions`; deleted ones may have left gaps. */
export async function pruneVersions(tx: Tx, ref: EntryRef, versions: number, keep: number): Promise<void> {
  const id = paramsOf(ref);
  await tx.run(deleteOldest, { ...id, limit: versions - keep });
  await tx.run(setVersions, { ...id, versions: keep });
}

const deleteEntry = sql((q, p: EntryId) => q.deleteFrom('vault_entries').where((eb) => eb.and(idOf(p))));

/** Forgets an entry and every version of it. */
export async function removeEntry(tx: Tx, ref: EntryRef): Promise<void> {
  await tx.run(deleteUpTo, { ...paramsOf(ref), version: Number.MAX_SAFE_INTEGER });
  await tx.run(deleteEntry, paramsOf(ref));
}

const deleteOne = sql((q, p: EntryId & { version: number }) =>
  q
    .deleteFrom('vault_versions')
    .where((eb) => eb.and(idOf(p)))
    .where('version', '=', p.version),
);

const newestVersion = sql((q, p: EntryId) =>
  q
    .selectFrom('vault_versions')
    .select(['version', 'metadata', 'created_at'])
    .where((eb) => eb.and(idOf(p)))
    .orderBy('version', 'desc')
    .limit(1),
);

const showVersion = sql(
  (q, p: EntryId & { version: number; versions: number; metadata: string | null; updated_at: number }) =>
    q
      .updateTable('vault_entries')
      .set({ latest_version: p.version, versions: p.versions, metadata: p.metadata, updated_at: p.updated_at })
      .where((eb) => eb.and(idOf(p))),
);

/**
 * Forgets one version of an entry that keeps `left` others; the newest of them becomes the latest.
 * @returns false when it was not there
 */
export async function removeVersion(tx: Tx, ref: EntryRef, version: number, left: number): Promise<boolean> {
  const id = paramsOf(ref);
  if ((await tx.run(deleteOne, { ...id, version })) === 0) return false;
  const newest = await tx.first(newestVersion, id);
  if (!newest) throw new Error('the last version of an entry goes with the entry');
  const { version: latest, metadata, created_at: updatedAt } = newest;
  await tx.run(showVersion, { ...id, version: latest, versions: left, metadata, updated_at: updatedAt });
  return true;
}
