import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { ACCOUNT_ENCRYPTION, type HistoryKey, KEY_HISTORY } from './rotation-table.ts';

export const findEncryption = ACCOUNT_ENCRYPTION.find();
/** Forgets the account's key and its seed. Its history stays. */
export const deleteEncryption = ACCOUNT_ENCRYPTION.remove();

/** Finds a key in the history of an account. */
export const findHistoryKey = KEY_HISTORY.find();
/** Begins the age of a key in the history anew. */
export const restartKey = KEY_HISTORY.patch(['createdAt', 'trustedFromStart']);
const insertKey = KEY_HISTORY.insert();

const sql = tables<{ e2e_keys: RowOf<typeof KEY_HISTORY> }>();

const latest = sql((q, p: { account_id: string }) =>
  q.selectFrom('e2e_keys').select('n').where('account_id', '=', p.account_id).orderBy('n', 'desc').limit(1),
);

/** Inserts the account's encryption, or replaces its public key. The hash of the seed never changes. */
export const saveEncryption = ACCOUNT_ENCRYPTION.save(['publicKey', 'updatedAt']);

/** How many keys the account has had. */
export const countHistory = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(latest, { account_id: accountId }))?.n ?? 0;

/** Adds a key to the history if it is not there. The caller holds the account's lock. */
export async function rememberKey(tx: Tx, key: Omit<HistoryKey, 'n'>): Promise<void> {
  const { accountId, publicKey } = key;
  if (await findHistoryKey(tx, accountId, publicKey)) return;
  const n = (await countHistory(tx, accountId)) + 1;
  await insertKey(tx, { ...key, n });
}
