import type { Kysely } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { ADDRESSES, type Address } from './address-table.ts';

export const findAddress = ADDRESSES.find(['address'], { releasedAt: null });
export const savePublicKey = ADDRESSES.patch(['publicKey']);
/** Saves what its account sets for an address. */
export const saveSettings = ADDRESSES.patch(['displayName', 'retentionDays', 'retentionSince']);
const findAny = ADDRESSES.find();
export const deleteAddress = ADDRESSES.remove();
const setReleased = ADDRESSES.patch(['releasedAt', 'freedAt']);

type Row = RowOf<typeof ADDRESSES>;

const sql = tables<{ addresses: Row }>();

/** How many addresses each account has. */
export const addressSlots = slotCounter('addresses');

/** A released address is like one that nobody has, for everybody but the claim. */
const inUse = (q: Kysely<{ addresses: Row }>) =>
  q.selectFrom('addresses').select(ADDRESSES.names).where('released_at', 'is', null);

/** Not `for update`, which would wait for every transaction that only inserts a message for the address. */
const lockByAddress = sql((q, p: { address: string }, engine) => {
  const query = inUse(q).where('address', '=', p.address);
  return engine === 'postgres' ? query.forNoKeyUpdate() : query;
});

const lockFree = sql((q, p: { address: string }, engine) => {
  const query = inUse(q).where('address', '=', p.address);
  return engine === 'postgres' ? query.forNoKeyUpdate().skipLocked() : query;
});

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  inUse(q).where('account_id', '=', p.account_id).orderBy('created_at').limit(p.limit),
);

const byAccounts = sql((q, p: { ids: string }, engine) =>
  inUse(q).where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);

const count = sql((q, p: { address: string; total: number; unread: number }) =>
  q
    .updateTable('addresses')
    .set((eb) => ({ total: eb('total', '+', p.total), unread: eb('unread', '+', p.unread) }))
    .where('address', '=', p.address),
);

/** In the order of the addresses. */
const after = sql((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('addresses')
    .select(['address', 'account_id'])
    .where('address', '>', p.after)
    .orderBy('address')
    .limit(p.limit),
);

const anyByAddress = sql((q, p: { address: string }, engine) => {
  const query = q.selectFrom('addresses').select(ADDRESSES.names).where('address', '=', p.address);
  return engine === 'postgres' ? query.forNoKeyUpdate() : query;
});
const clear = sql((q, p: { address: string; freed_at: number }) =>
  q
    .updateTable('addresses')
    .set({
      freed_at: p.freed_at,
      total: 0,
      unread: 0,
      public_key: null,
      display_name: null,
      retention_days: null,
      retention_since: null,
    })
    .where('address', '=', p.address),
);

/** Whether an account has an address or released it. */
export const hasRow = async (reader: Reader, address: string): Promise<boolean> =>
  (await findAny(reader, address)) !== null;

/** Finds and locks an address, whether it is in use or released. */
export async function lockAnyAddress(tx: Tx, address: string): Promise<Address | null> {
  const row = await tx.first(anyByAddress, { address });
  return row ? ADDRESSES.fromRow(row) : null;
}

/** Hides an address with its mail, or shows it again (null). */
export const markReleased = (tx: Tx, address: string, releasedAt: number | null): Promise<boolean> =>
  setReleased(tx, { address, releasedAt, freedAt: null });

/** Notes that the mail of a released address is gone. */
export const markFreed = async (tx: Tx, address: string, now: number): Promise<void> =>
  void (await tx.run(clear, { address, freed_at: now }));

/**
 * Locks the addresses that exist until the transaction ends. A transaction that changes the counters or threads of
 * several addresses calls this first. The order is the same for all callers, so that no two wait for each other.
 */
export async function lockAddresses(tx: Tx, addresses: readonly string[]): Promise<Map<string, Address>> {
  const found = new Map<string, Address>();
  for (const address of [...new Set(addresses)].sort()) {
    const row = await tx.first(lockByAddress, { address });
    if (row) found.set(address, ADDRESSES.fromRow(row));
  }
  return found;
}

/**
 * Locks those of the addresses that no other transaction has locked, without waiting. For a transaction that holds locks which
 * others take after those of addresses: waiting here could make the two wait for each other.
 */
export async function lockFreeAddresses(tx: Tx, addresses: readonly string[]): Promise<string[]> {
  const free: string[] = [];
  for (const address of addresses) if (await tx.first(lockFree, { address })) free.push(address);
  return free;
}

/** SQLite would set up a sorter for those claimed in the same millisecond, for ten times the cost of the look-up. */
const inOrder = (a: Address, b: Address): number => a.createdAt - b.createdAt || (a.address < b.address ? -1 : 1);

/** Oldest first. */
export const listAddresses = async (reader: Reader, accountId: string, limit: number): Promise<Address[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit })).map(ADDRESSES.fromRow).sort(inOrder);

/** The addresses that these accounts have in use, each account's oldest first. */
export async function addressesOfAccounts(reader: Reader, ids: readonly string[]): Promise<Map<string, Address[]>> {
  const found = (await reader.all(byAccounts, { ids: jsonTexts(ids) })).map(ADDRESSES.fromRow).sort(inOrder);
  return Map.groupBy(found, ({ accountId }) => accountId);
}

/** A page of all addresses, in their own order. */
export const addressesAfter = async (reader: Reader, address: string, limit: number) =>
  (await reader.all(after, { after: address, limit })).map((row) => ({
    address: row.address,
    accountId: row.account_id,
  }));

/** @returns false if the address exists */
export const insertAddress = ADDRESSES.insertNew();

/** Adds to the counters of an address. Either may be negative. */
export const addToCounters = async (tx: Tx, address: string, total: number, unread: number): Promise<void> =>
  void (total !== 0 || unread !== 0 ? await tx.run(count, { address, total, unread }) : 0);
