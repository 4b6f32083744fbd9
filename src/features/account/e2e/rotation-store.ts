import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { ACCOUNT_ENCRYPTION, type AccountEncryption, type HistoryKey, KEY_HISTORY } from './rotation-table.ts';

type AccountRow = RowOf<typeof ACCOUNT_ENCRYPTION>;
type KeyRow = RowOf<typeof KEY_HISTORY>;

const sql = tables<{ e2e_accounts: AccountRow; e2e_keys: KeyRow }>();

const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('e2e_accounts').select(ACCOUNT_ENCRYPTION.names).where('account_id', '=', p.account_id),
);

const upsert = sql((q, p: AccountRow) =>
  q
    .insertInto('e2e_accounts')
    .values(ACCOUNT_ENCRYPTION.values(p))
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ public_key: p.public_key, updated_at: p.updated_at }),
    ),
);

const insertKey = sql((q, p: KeyRow) => q.insertInto('e2e_keys').values(KEY_HISTORY.values(p)));

const byKey = sql((q, p: { account_id: string; public_key: string }) =>
  q
    .selectFrom('e2e_keys')
    .select(KEY_HISTORY.names)
    .where('account_id', '=', p.account_id)
    .where('public_key', '=', p.public_key),
);

const latest = sql((q, p: { account_id: string }) =>
  q.selectFrom('e2e_keys').select('n').where('account_id', '=', p.account_id).orderBy('n', 'desc').limit(1),
);

const restart = sql((q, p: Pick<KeyRow, 'account_id' | 'public_key' | 'created_at' | 'born_old'>) =>
  q
    .updateTable('e2e_keys')
    .set({ created_at: p.created_at, born_old: p.born_old })
    .where('account_id', '=', p.account_id)
    .where('public_key', '=', p.public_key),
);

const deleteRow = sql((q, p: { account_id: string }) =>
  q.deleteFrom('e2e_accounts').where('account_id', '=', p.account_id),
);

/** Forgets the account's key and its seed. Its history stays. */
export const deleteEncryption = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(deleteRow, { account_id: accountId }));

/** Begins the age of a key in the history anew. */
export const restartKey = async (tx: Tx, key: Omit<HistoryKey, 'n'>): Promise<void> =>
  void (await tx.run(restart, KEY_HISTORY.toRow({ ...key, n: 0 })));

/** Finds a key in the history of an account. */
export async function findHistoryKey(reader: Reader, accountId: string, publicKey: string): Promise<HistoryKey | null> {
  const row = await reader.first(byKey, { account_id: accountId, public_key: publicKey });
  return row ? KEY_HISTORY.fromRow(row) : null;
}

export async function findEncryption(reader: Reader, accountId: string): Promise<AccountEncryption | null> {
  const row = await reader.first(byAccount, { account_id: accountId });
  return row ? ACCOUNT_ENCRYPTION.fromRow(row) : null;
}

/** Inserts the account's encryption, or replaces its public key. The hash of the seed never changes. */
export const saveEncryption = async (tx: Tx, encryption: AccountEncryption): Promise<void> =>
  void (await tx.run(upsert, ACCOUNT_ENCRYPTION.toRow(encryption)));

/** How many keys the account has had. */
export const countHistory = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(latest, { account_id: accountId }))?.n ?? 0;

/** Adds a key to the history if it is not there. The caller holds the account's lock. */
export async function rememberKey(tx: Tx, key: Omit<HistoryKey, 'n'>): Promise<void> {
  const { accountId, publicKey } = key;
  if (await findHistoryKey(tx, accountId, publicKey)) return;
  const n = (await countHistory(tx, accountId)) + 1;
  await tx.run(insertKey, KEY_HISTORY.toRow({ ...key, n }));
}
