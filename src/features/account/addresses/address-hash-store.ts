import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

const sql = tables<{ address_hashes: { hash: string; kept_at: number } }>();

const insertRow = sql((q, p: { hash: string; kept_at: number }) =>
  q
    .insertInto('address_hashes')
    .values({ hash: p.hash, kept_at: p.kept_at })
    .onConflict((conflict) => conflict.doNothing()),
);
const byHash = sql((q, p: { hash: string }) =>
  q.selectFrom('address_hashes').select('hash').where('hash', '=', p.hash),
);

/** Keeps the hash of an address whose account is deleted. */
export const keepHash = async (tx: Tx, hash: string, now: number): Promise<void> =>
  void (await tx.run(insertRow, { hash, kept_at: now }));

export const isKept = async (reader: Reader, hash: string): Promise<boolean> =>
  (await reader.first(byHash, { hash })) !== undefined;
