import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { API_KEYS, type KeyStatus, type StoredKey } from './key-table.ts';

export const findBackup = API_KEYS.find(['accountId'], { status: 'backup' });
const endActive = API_KEYS.patch(['status', 'revokedAt'], { status: 'active' });
const endActiveOf = API_KEYS.patch(['status', 'revokedAt'], { status: 'active' }, ['accountId']);
const endBackupOf = API_KEYS.patch(['status', 'revokedAt'], { status: 'backup' }, ['accountId']);

const sql = tables<{ api_keys: RowOf<typeof API_KEYS> }>();

const byHash = sql((q, p: { hash: string }) =>
  q.selectFrom('api_keys').select(API_KEYS.names).where('hash', '=', p.hash).where('status', '<>', 'revoked'),
);

const byHashes = sql((q, p: { hashes: string }, engine) =>
  q
    .selectFrom('api_keys')
    .select(API_KEYS.names)
    .where((eb) => isAmong(engine, eb.ref('hash'), p.hashes))
    .where('status', '<>', 'revoked'),
);

const liveByHash = sql((q, p: { hash: string }) =>
  q.selectFrom('api_keys').select('status').where('hash', '=', p.hash).where('status', '<>', 'revoked'),
);

const liveByHashes = sql((q, p: { hashes: string }, engine) =>
  q
    .selectFrom('api_keys')
    .select(['hash', 'status'])
    .where((eb) => isAmong(engine, eb.ref('hash'), p.hashes))
    .where('status', '<>', 'revoked'),
);

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('api_keys')
    .select(API_KEYS.names)
    .where('account_id', '=', p.account_id)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(p.limit),
);

const liveByAccount = sql((q, p: { account_id: string }) =>
  q
    .selectFrom('api_keys')
    .select(API_KEYS.names)
    .where('account_id', '=', p.account_id)
    .where('status', '<>', 'revoked')
    .orderBy('status'),
);

const promoteBackup = sql((q, p: { account_id: string; now: number }) =>
  q
    .updateTable('api_keys')
    .set({ status: 'active', activated_at: p.now })
    .where('account_id', '=', p.account_id)
    .where('status', '=', 'backup')
    .returning(['prefix', 'hash']),
);

const activeOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('api_keys').select('prefix').where('account_id', '=', p.account_id).where('status', '=', 'active'),
);

/** Finds a key that is not revoked. */
export async function findKey(reader: Reader, hash: string): Promise<StoredKey | null> {
  const row = await reader.first(byHash, { hash });
  return row ? API_KEYS.fromRow(row) : null;
}

/** Finds those of many keys that are not revoked, by their hashes. */
export const findKeys = async (reader: Reader, hashes: readonly string[]): Promise<Map<string, StoredKey>> =>
  new Map((await reader.all(byHashes, { hashes: jsonTexts(hashes) })).map((row) => [row.hash, API_KEYS.fromRow(row)]));

/** Reads the current status alone, to check a cached key. @returns null when the key is unknown or revoked */
export const keyStatus = async (reader: Reader, hash: string): Promise<KeyStatus | null> =>
  (await reader.first(liveByHash, { hash }))?.status ?? null;

/** Reads the current status of each of these keys that is not revoked, by its hash. */
export async function keyStatuses(reader: Reader, hashes: readonly string[]): Promise<Map<string, KeyStatus>> {
  const rows = await reader.all(liveByHashes, { hashes: jsonTexts(hashes) });
  return new Map(rows.map(({ hash, status }) => [hash, status]));
}

/** Returns the prefix of the account's active key, or null without one. */
export const activePrefixOf = async (reader: Reader, accountId: string): Promise<string | null> =>
  (await reader.first(activeOf, { account_id: accountId }))?.prefix ?? null;

const STATUS_ORDER: Record<KeyStatus, number> = { active: 0, backup: 1, revoked: 2 };

/** Lists keys, newest first. Among keys of the same millisecond the active one comes first, then the backup. */
export const listKeys = async (reader: Reader, accountId: string, limit: number): Promise<StoredKey[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit }))
    .map(API_KEYS.fromRow)
    .sort((a, b) => b.createdAt - a.createdAt || STATUS_ORDER[a.status] - STATUS_ORDER[b.status]);

/** Lists the active key, then the backup key. */
export const listLiveKeys = async (reader: Reader, accountId: string): Promise<StoredKey[]> =>
  (await reader.all(liveByAccount, { account_id: accountId })).map(API_KEYS.fromRow);

/**
 * A unique index allows one key of each live status: the loser of a race changes no row.
 * @returns false when the account already has a key of this live status
 */
export const addKey = API_KEYS.insertNew();

export const revokeActiveKey = (tx: Tx, accountId: string, now: number): Promise<boolean> =>
  endActiveOf(tx, { accountId, status: 'revoked', revokedAt: now });

/** @returns false when the account has no backup key */
export const revokeBackup = (tx: Tx, accountId: string, now: number): Promise<boolean> =>
  endBackupOf(tx, { accountId, status: 'revoked', revokedAt: now });

/** Revokes one active key. @returns false when it was not active */
export const revokeKey = (tx: Tx, hash: string, now: number): Promise<boolean> =>
  endActive(tx, { hash, status: 'revoked', revokedAt: now });

/** Makes the backup key the active one. @returns its prefix, or null without a backup key */
export const activateBackupKey = async (tx: Tx, accountId: string, now: number): Promise<string | null> =>
  (await tx.first(promoteBackup, { account_id: accountId, now }))?.prefix ?? null;
