import { tables } from '../../db/statement.ts';
import type { KeyKind } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

type KeyStatus = 'active' | 'backup' | 'revoked';

interface Row {
  hash: string;
  account_id: string;
  kind: string;
  status: string;
  prefix: string;
  label: string | null;
  created_at: number;
  activated_at: number | null;
  revoked_at: number | null;
}

export interface StoredKey {
  hash: string;
  accountId: string;
  /** What the key's prefix says; a backup key that was activated keeps its prefix and works as a platform key. */
  kind: KeyKind;
  status: KeyStatus;
  prefix: string;
  label: string | null;
  createdAt: number;
  activatedAt: number | null;
}

const sql = tables<{ api_keys: Row }>();

const byHash = sql((q, p: { hash: string }) =>
  q.selectFrom('api_keys').selectAll().where('hash', '=', p.hash).where('status', '<>', 'revoked'),
);

const liveByHash = sql((q, p: { hash: string }) =>
  q.selectFrom('api_keys').select('status').where('hash', '=', p.hash).where('status', '<>', 'revoked'),
);

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(p.limit),
);

/** The unique index over live keys decides a race; the loser changes no row. */
const insertKey = sql((q, p: Omit<Row, 'revoked_at'>) =>
  q
    .insertInto('api_keys')
    .values({
      hash: p.hash,
      account_id: p.account_id,
      kind: p.kind,
      status: p.status,
      prefix: p.prefix,
      label: p.label,
      created_at: p.created_at,
      activated_at: p.activated_at,
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const revokeActive = sql((q, p: { account_id: string; now: number }) =>
  q
    .updateTable('api_keys')
    .set({ status: 'revoked', revoked_at: p.now })
    .where('account_id', '=', p.account_id)
    .where('status', '=', 'active'),
);

const revokeLive = sql((q, p: { account_id: string; now: number }) =>
  q
    .updateTable('api_keys')
    .set({ status: 'revoked', revoked_at: p.now })
    .where('account_id', '=', p.account_id)
    .where('status', '<>', 'revoked'),
);

const revokeByHash = sql((q, p: { hash: string; now: number }) =>
  q
    .updateTable('api_keys')
    .set({ status: 'revoked', revoked_at: p.now })
    .where('hash', '=', p.hash)
    .where('status', '=', 'active'),
);

const promoteBackup = sql((q, p: { account_id: string; now: number }) =>
  q
    .updateTable('api_keys')
    .set({ status: 'active', activated_at: p.now })
    .where('account_id', '=', p.account_id)
    .where('status', '=', 'backup')
    .returning(['prefix', 'hash']),
);

const backupOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('api_keys').select('hash').where('account_id', '=', p.account_id).where('status', '=', 'backup'),
);

const activeOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('api_keys').select('prefix').where('account_id', '=', p.account_id).where('status', '=', 'active'),
);

const toKey = (row: Row): StoredKey => ({
  hash: row.hash,
  accountId: row.account_id,
  kind: row.kind as KeyKind,
  status: row.status as KeyStatus,
  prefix: row.prefix,
  label: row.label,
  createdAt: row.created_at,
  activatedAt: row.activated_at,
});

/** A key that is not revoked. */
export async function findKey(reader: Reader, hash: string): Promise<StoredKey | null> {
  const row = await reader.first(byHash, { hash });
  return row ? toKey(row) : null;
}

/** The current status alone, for the check that a remembered key still stands. */
export const keyStatus = async (reader: Reader, hash: string): Promise<KeyStatus | null> =>
  ((await reader.first(liveByHash, { hash }))?.status as KeyStatus | undefined) ?? null;

/** Whose prefix an account shows; null when no key is active. */
export const activePrefixOf = async (reader: Reader, accountId: string): Promise<string | null> =>
  (await reader.first(activeOf, { account_id: accountId }))?.prefix ?? null;

const STATUS_ORDER: Record<KeyStatus, number> = { active: 0, backup: 1, revoked: 2 };

/** Newest first; of keys made in one moment the active one first, then the backup. */
export const listKeys = async (reader: Reader, accountId: string, limit: number): Promise<StoredKey[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit }))
    .map(toKey)
    .sort((a, b) => b.createdAt - a.createdAt || STATUS_ORDER[a.status] - STATUS_ORDER[b.status]);

/** @returns false when the account has a key of this live status already */
export async function addKey(tx: Tx, key: StoredKey): Promise<boolean> {
  const changed = await tx.run(insertKey, {
    hash: key.hash,
    account_id: key.accountId,
    kind: key.kind,
    status: key.status,
    prefix: key.prefix,
    label: key.label,
    created_at: key.createdAt,
    activated_at: key.activatedAt,
  });
  return changed === 1;
}

export const revokeActiveKey = (tx: Tx, accountId: string, now: number): Promise<number> =>
  tx.run(revokeActive, { account_id: accountId, now });

/** The backup key too. */
export const revokeAllKeys = (tx: Tx, accountId: string, now: number): Promise<number> =>
  tx.run(revokeLive, { account_id: accountId, now });

/** @returns false when this key is no longer the active one */
export const revokeKey = async (tx: Tx, hash: string, now: number): Promise<boolean> =>
  (await tx.run(revokeByHash, { hash, now })) === 1;

export const hasBackupKey = async (reader: Reader, accountId: string): Promise<boolean> =>
  (await reader.first(backupOf, { account_id: accountId })) !== undefined;

/** Makes the backup the active key. @returns its prefix, or null when there is none */
export const activateBackupKey = async (tx: Tx, accountId: string, now: number): Promise<string | null> =>
  (await tx.first(promoteBackup, { account_id: accountId, now }))?.prefix ?? null;
