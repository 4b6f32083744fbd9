import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { ACCOUNT_ENCRYPTION, type AccountEncryption, KEY_HISTORY } from './rotation-data.ts';

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
  q.selectFrom('e2e_keys').select('n').where('account_id', '=', p.account_id).where('public_key', '=', p.public_key),
);

const latest = sql((q, p: { account_id: string }) =>
  q.selectFrom('e2e_keys').select('n').where('account_id', '=', p.account_id).orderBy('n', 'desc').limit(1),
);

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
export async function rememberKey(tx: Tx, accountId: string, publicKey: string, createdAt: number): Promise<void> {
  if (await tx.first(byKey, { account_id: accountId, public_key: publicKey })) return;
  const n = (await countHistory(tx, accountId)) + 1;
  await tx.run(insertKey, KEY_HISTORY.toRow({ accountId, publicKey, n, createdAt }));
}
