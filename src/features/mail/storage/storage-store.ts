import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

interface Tables {
  account_storage: { account_id: string; used: number; told: number };
  storage_shares: { account_id: string; sender: string; used: number };
}

const sql = tables<Tables>();

const rowOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('account_storage').select(['used', 'told']).where('account_id', '=', p.account_id),
);
/**
 * Makes the row if there is none, and locks it: what is stored for one account is decided one after the other. On SQLite
 * transactions run one after the other anyway.
 */
const lockRow = sql((q, p: { account_id: string }, engine) =>
  engine === 'sqlite'
    ? q.selectFrom('account_storage').select(['used', 'told']).where('account_id', '=', p.account_id)
    : q
        .insertInto('account_storage')
        .values({ account_id: p.account_id, used: 0, told: 0 })
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet((eb) => ({ told: eb.ref('account_storage.told') })),
        )
        .returning(['used', 'told']),
);
const setTold = sql((q, p: { account_id: string; told: number }) =>
  q
    .insertInto('account_storage')
    .values({ account_id: p.account_id, used: 0, told: p.told })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ told: p.told })),
);
const shareRow = sql((q, p: { account_id: string; sender: string }) =>
  q.selectFrom('storage_shares').select('used').where('account_id', '=', p.account_id).where('sender', '=', p.sender),
);

/** How much an account stores, in bytes, and the percentage that its owner was told of. */
export interface Stored {
  used: number;
  told: number;
}

const NOTHING: Stored = { used: 0, told: 0 };

export const lockStored = async (tx: Tx, accountId: string): Promise<Stored> =>
  (await tx.first(lockRow, { account_id: accountId })) ?? NOTHING;

export const readStored = async (reader: Reader, accountId: string): Promise<Stored> =>
  (await reader.first(rowOf, { account_id: accountId })) ?? NOTHING;

export const saveTold = async (tx: Tx, accountId: string, told: number): Promise<void> =>
  void (await tx.run(setTold, { account_id: accountId, told }));

/** How much mail of a sender an account stores, in bytes. */
export const readShare = async (reader: Reader, accountId: string, sender: string): Promise<number> =>
  (await reader.first(shareRow, { account_id: accountId, sender }))?.used ?? 0;
