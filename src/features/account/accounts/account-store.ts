import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { ACCOUNTS, type Account, type AccountSuspensions } from './account-table.ts';

export const insertAccount = ACCOUNTS.insert();
export const findAccount = ACCOUNTS.find();
export const setTier = ACCOUNTS.patch(['tier']);
export const setStatus = ACCOUNTS.patch(['status']);
export const setAllowedScopes = ACCOUNTS.patch(['allowedScopes']);
export const setName = ACCOUNTS.patch(['name']);
/** Stores what others see of an account. */
export const saveProfile = ACCOUNTS.patch(['name', 'description', 'capabilities', 'isUnlisted']);
const suspend = ACCOUNTS.patch(['suspendedBy']);
const accountsAfter = ACCOUNTS.after([]);
/** Deletes the account itself, after everything that refers to it. */
export const removeAccount = ACCOUNTS.remove();

const sql = tables<{ accounts: RowOf<typeof ACCOUNTS> }>();

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('accounts')
    .select(ACCOUNTS.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids)),
);
const barsById = sql((q, p: { id: string }) =>
  q.selectFrom('accounts').select(['status', 'suspended_by']).where('id', '=', p.id),
);
const barsByIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('accounts')
    .select(['id', 'status', 'suspended_by'])
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids)),
);
/** Changes a row only from the expected status, so that one of several parallel calls makes the change. */
const changeStatus = sql((q, p: { id: string; from: Account['status']; status: Account['status'] }) =>
  q.updateTable('accounts').set({ status: p.status }).where('id', '=', p.id).where('status', '=', p.from),
);

/** Returns a page of all accounts in id order, for the operator. */
export const listAccounts = (reader: Reader, after: string, limit: number): Promise<Account[]> =>
  accountsAfter(reader, {}, { id: after }, limit);

/** Finds accounts by id. Unknown ids are left out. */
export const findAccounts = async (reader: Reader, ids: readonly string[]): Promise<Map<string, Account>> =>
  new Map((await reader.all(byIds, { ids: jsonTexts(ids) })).map((row) => [row.id, ACCOUNTS.fromRow(row)]));
/** Reads what closes an account, and nothing else of it. Null: there is no such account. */
export async function findSuspensions(reader: Reader, id: string): Promise<AccountSuspensions | null> {
  const row = await reader.first(barsById, { id });
  return row ? { status: row.status, isSuspended: row.suspended_by !== null } : null;
}
/** The same for many accounts. Unknown ids are left out. */
export async function findAllSuspensions(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, AccountSuspensions>> {
  const rows = await reader.all(barsByIds, { ids: jsonTexts(ids) });
  return new Map(rows.map((row) => [row.id, { status: row.status, isSuspended: row.suspended_by !== null }]));
}
export const setSuspendedBy = (tx: Tx, id: string, addresses: string[]): Promise<boolean> =>
  suspend(tx, { id, suspendedBy: addresses.length === 0 ? null : addresses });
/** @returns false when the status was not `from` */
export const moveStatus = async (
  tx: Tx,
  id: string,
  from: Account['status'],
  status: Account['status'],
): Promise<boolean> => (await tx.run(changeStatus, { id, from, status })) === 1;

const lockRow = sql((q, p: { id: string }, engine) => {
  const query = q.selectFrom('accounts').select('id').where('id', '=', p.id);
  return engine === 'postgres' ? query.forNoKeyUpdate() : query;
});

/**
 * Locks accounts in one order, so that transactions over several accounts run one after another instead of
 * deadlocking. Call it before a write to the mail of more than one account.
 */
export async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await tx.first(lockRow, { id });
}

const under = sql((q, p: { parent_id: string; limit: number }) =>
  q.selectFrom('accounts').select(ACCOUNTS.names).where('parent_id', '=', p.parent_id).limit(p.limit),
);

/** Some accounts of the pods of a platform. */
export const accountsUnder = async (reader: Reader, parentId: string, limit: number): Promise<Account[]> =>
  (await reader.all(under, { parent_id: parentId, limit })).map(ACCOUNTS.fromRow);
