import type { Tier } from '../../../api/limits.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { ACCOUNTS, type Account, type AccountBars } from './account-table.ts';

type Row = RowOf<typeof ACCOUNTS>;

const sql = tables<{ accounts: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('accounts').values(ACCOUNTS.values(p)));

const byId = sql((q, p: { id: string }) => q.selectFrom('accounts').select(ACCOUNTS.names).where('id', '=', p.id));

const page = sql((q, p: { after: string; limit: number }) =>
  q.selectFrom('accounts').select(ACCOUNTS.names).where('id', '>', p.after).orderBy('id').limit(p.limit),
);

const setTierOf = sql((q, p: { id: string; tier: Tier }) =>
  q.updateTable('accounts').set({ tier: p.tier }).where('id', '=', p.id),
);
const setStatusOf = sql((q, p: { id: string; status: Account['status'] }) =>
  q.updateTable('accounts').set({ status: p.status }).where('id', '=', p.id),
);
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
const setSuspendedByOf = sql((q, p: { id: string; suspended_by: string | null }) =>
  q.updateTable('accounts').set({ suspended_by: p.suspended_by }).where('id', '=', p.id),
);
/** Changes a row only from the expected status, so that one of several parallel calls makes the change. */
const changeStatus = sql((q, p: { id: string; from: Account['status']; status: Account['status'] }) =>
  q.updateTable('accounts').set({ status: p.status }).where('id', '=', p.id).where('status', '=', p.from),
);
const setNameOf = sql((q, p: { id: string; name: string | null }) =>
  q.updateTable('accounts').set({ name: p.name }).where('id', '=', p.id),
);
const setScopesOf = sql((q, p: { id: string; scopes: string | null }) =>
  q.updateTable('accounts').set({ allowed_scopes: p.scopes }).where('id', '=', p.id),
);

export const insertAccount = async (tx: Tx, account: Account): Promise<void> =>
  void (await tx.run(insertRow, ACCOUNTS.toRow(account)));

export async function findAccount(reader: Reader, id: string): Promise<Account | null> {
  const row = await reader.first(byId, { id });
  return row ? ACCOUNTS.fromRow(row) : null;
}

/** Returns a page of all accounts in id order, for the operator. */
export const listAccounts = async (reader: Reader, after: string, limit: number): Promise<Account[]> =>
  (await reader.all(page, { after, limit })).map(ACCOUNTS.fromRow);

// These return whether the account exists.
export const setTier = async (tx: Tx, id: string, tier: Tier): Promise<boolean> =>
  (await tx.run(setTierOf, { id, tier })) === 1;
export const setStatus = async (tx: Tx, id: string, status: Account['status']): Promise<boolean> =>
  (await tx.run(setStatusOf, { id, status })) === 1;
export const setAllowedScopes = async (tx: Tx, id: string, scopes: string[] | null): Promise<boolean> =>
  (await tx.run(setScopesOf, { id, scopes: scopes === null ? null : JSON.stringify(scopes) })) === 1;

/** Finds accounts by id. Unknown ids are left out. */
export const findAccounts = async (reader: Reader, ids: readonly string[]): Promise<Map<string, Account>> => {
  const rows = await reader.all(byIds, { ids: JSON.stringify(ids.map((id) => [id])) });
  return new Map(rows.map((row) => [row.id, ACCOUNTS.fromRow(row)]));
};
/** Reads what closes an account, and nothing else of it. Null: there is no such account. */
export async function barsOf(reader: Reader, id: string): Promise<AccountBars | null> {
  const row = await reader.first(barsById, { id });
  return row ? { status: row.status, isSuspended: row.suspended_by !== null } : null;
}
/** The same for many accounts. Unknown ids are left out. */
export async function allBarsOf(reader: Reader, ids: readonly string[]): Promise<Map<string, AccountBars>> {
  const rows = await reader.all(barsByIds, { ids: JSON.stringify(ids.map((id) => [id])) });
  return new Map(rows.map((row) => [row.id, { status: row.status, isSuspended: row.suspended_by !== null }]));
}
export const setSuspendedBy = async (tx: Tx, id: string, addresses: readonly string[]): Promise<void> =>
  void (await tx.run(setSuspendedByOf, {
    id,
    suspended_by: addresses.length === 0 ? null : JSON.stringify(addresses),
  }));
/** @returns false when the status was not `from` */
export const moveStatus = async (
  tx: Tx,
  id: string,
  from: Account['status'],
  status: Account['status'],
): Promise<boolean> => (await tx.run(changeStatus, { id, from, status })) === 1;
export const setName = async (tx: Tx, id: string, name: string | null): Promise<void> =>
  void (await tx.run(setNameOf, { id, name }));

const setProfile = sql((q, p: Pick<Row, 'id' | 'name' | 'description' | 'capabilities' | 'unlisted'>) =>
  q
    .updateTable('accounts')
    .set({ name: p.name, description: p.description, capabilities: p.capabilities, unlisted: p.unlisted })
    .where('id', '=', p.id),
);

/** Stores what others see of an account. */
export async function saveProfile(tx: Tx, account: Account): Promise<void> {
  const { id, name, description, capabilities, unlisted } = ACCOUNTS.toRow(account);
  await tx.run(setProfile, { id, name, description, capabilities, unlisted });
}

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
const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('accounts').where('id', '=', p.id));

/** Some accounts of the pods of a platform. */
export const accountsUnder = async (reader: Reader, parentId: string, limit: number): Promise<Account[]> =>
  (await reader.all(under, { parent_id: parentId, limit })).map(ACCOUNTS.fromRow);

/** Deletes the account itself, after everything that refers to it. */
export const removeAccount = async (tx: Tx, id: string): Promise<void> => void (await tx.run(deleteRow, { id }));
