import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  address: string;
  account_id: string;
  public_key: string | null;
  total: number;
  unread: number;
  created_at: number;
}

export interface Address {
  address: string;
  accountId: string;
  /** X25519, base64url; null: mail is kept readable. */
  publicKey: string | null;
  /** Mails not archived, and those of them not read; counters, so that no list has to count. */
  total: number;
  unread: number;
  createdAt: number;
}

const sql = tables<{ addresses: Row; address_counts: { account_id: string; used: number } }>();

const byAddress = sql((q, p: { address: string }) =>
  q.selectFrom('addresses').selectAll().where('address', '=', p.address),
);

/** Not `for update`: that would wait for every transaction that only inserts a message for the address. */
const lockByAddress = sql((q, p: { address: string }, engine) => {
  const query = q.selectFrom('addresses').selectAll().where('address', '=', p.address);
  return engine === 'postgres' ? query.forNoKeyUpdate() : query;
});

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('addresses')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .orderBy('created_at')
    .orderBy('address')
    .limit(p.limit),
);

const insertRow = sql((q, p: Pick<Row, 'address' | 'account_id' | 'public_key' | 'created_at'>) =>
  q
    .insertInto('addresses')
    .values({
      address: p.address,
      account_id: p.account_id,
      public_key: p.public_key,
      total: 0,
      unread: 0,
      created_at: p.created_at,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const setKey = sql((q, p: { address: string; public_key: string }) =>
  q.updateTable('addresses').set({ public_key: p.public_key }).where('address', '=', p.address),
);

const count = sql((q, p: { address: string; total: number; unread: number }) =>
  q
    .updateTable('addresses')
    .set((eb) => ({ total: eb('total', '+', p.total), unread: eb('unread', '+', p.unread) }))
    .where('address', '=', p.address),
);

/** One more address, unless the account has as many as it may: checked and counted in one statement. */
const takeSlot = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('address_counts')
    .values({ account_id: p.account_id, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ used: eb('address_counts.used', '+', 1) }))
        .where('address_counts.used', '<', p.limit),
    ),
);

const usedBy = sql((q, p: { account_id: string }) =>
  q.selectFrom('address_counts').select('used').where('account_id', '=', p.account_id),
);

const giveSlotBack = sql((q, p: { account_id: string }) =>
  q
    .updateTable('address_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id),
);

const toAddress = (row: Row): Address => ({
  address: row.address,
  accountId: row.account_id,
  publicKey: row.public_key,
  total: row.total,
  unread: row.unread,
  createdAt: row.created_at,
});

export async function findAddress(reader: Reader, address: string): Promise<Address | null> {
  const row = await reader.first(byAddress, { address });
  return row ? toAddress(row) : null;
}

/**
 * The addresses that exist, held until the transaction ends. Whoever touches the counters and threads of several takes
 * them here first, in one order for all, so that no two transactions wait for each other.
 */
export async function lockAddresses(tx: Tx, addresses: readonly string[]): Promise<Map<string, Address>> {
  const found = new Map<string, Address>();
  for (const address of [...new Set(addresses)].sort()) {
    const row = await tx.first(lockByAddress, { address });
    if (row) found.set(address, toAddress(row));
  }
  return found;
}

export const listAddresses = async (reader: Reader, accountId: string, limit: number): Promise<Address[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit })).map(toAddress);

/** @returns false when somebody has it */
export const insertAddress = async (
  tx: Tx,
  address: Pick<Address, 'address' | 'accountId' | 'publicKey' | 'createdAt'>,
): Promise<boolean> =>
  (await tx.run(insertRow, {
    address: address.address,
    account_id: address.accountId,
    public_key: address.publicKey,
    created_at: address.createdAt,
  })) === 1;

export const setPublicKey = async (tx: Tx, address: string, publicKey: string): Promise<void> =>
  void (await tx.run(setKey, { address, public_key: publicKey }));

/** Adds to an address's counters; either may be negative. */
export const addToCounters = async (tx: Tx, address: string, total: number, unread: number): Promise<void> =>
  void (total !== 0 || unread !== 0 ? await tx.run(count, { address, total, unread }) : 0);

export const takeAddressSlot = async (tx: Tx, accountId: string, limit: number): Promise<boolean> =>
  limit > 0 && (await tx.run(takeSlot, { account_id: accountId, limit })) === 1;

export const countAddresses = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(usedBy, { account_id: accountId }))?.used ?? 0;

export const returnAddressSlot = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(giveSlotBack, { account_id: accountId }));
