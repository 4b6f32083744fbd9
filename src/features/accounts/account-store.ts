import { jsonRows } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import type { Tier } from '../../kernel/limits.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  id: string;
  parent_id: string | null;
  name: string | null;
  tier: string;
  status: string;
  email: string | null;
  recovery_email: string | null;
  operator_email: string | null;
  capabilities: string;
  allowed_scopes: string | null;
  created_at: number;
}

export interface Account {
  id: string;
  /** The platform of a pod; null for a platform. */
  parentId: string | null;
  name: string | null;
  tier: Tier;
  /** `paused`: a pod that its platform suspended; `suspended`: by the operator of the service. */
  status: 'active' | 'suspended' | 'paused';
  email: string | null;
  recoveryEmail: string | null;
  operatorEmail: string | null;
  capabilities: string[];
  /** The ceiling of its tokens' scopes; null: none. */
  allowedScopes: string[] | null;
  createdAt: number;
}

const sql = tables<{ accounts: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('accounts').values({
    id: p.id,
    parent_id: p.parent_id,
    name: p.name,
    tier: p.tier,
    status: p.status,
    email: p.email,
    recovery_email: p.recovery_email,
    operator_email: p.operator_email,
    capabilities: p.capabilities,
    allowed_scopes: p.allowed_scopes,
    created_at: p.created_at,
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('accounts').selectAll().where('id', '=', p.id));

const byAnyEmail = sql((q, p: { email: string; limit: number }) =>
  q
    .selectFrom('accounts')
    .selectAll()
    .where((eb) =>
      eb.or([eb('email', '=', p.email), eb('recovery_email', '=', p.email), eb('operator_email', '=', p.email)]),
    )
    .orderBy('id')
    .limit(p.limit),
);

const page = sql((q, p: { after: string; limit: number }) =>
  q.selectFrom('accounts').selectAll().where('id', '>', p.after).orderBy('id').limit(p.limit),
);

const setRecovery = sql((q, p: { id: string; email: string }) =>
  q
    .updateTable('accounts')
    .set({ recovery_email: p.email })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('recovery_email', 'is', null), eb('recovery_email', '<>', p.email)])),
);
const setOperator = sql((q, p: { id: string; email: string }) =>
  q
    .updateTable('accounts')
    .set({ operator_email: p.email })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('operator_email', 'is', null), eb('operator_email', '<>', p.email)])),
);
const setTierOf = sql((q, p: { id: string; tier: string }) =>
  q.updateTable('accounts').set({ tier: p.tier }).where('id', '=', p.id),
);
const setStatusOf = sql((q, p: { id: string; status: string }) =>
  q.updateTable('accounts').set({ status: p.status }).where('id', '=', p.id),
);
const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', (eb) => eb.selectFrom(jsonRows(engine, p.ids, { id: 'text' }).as('given')).select('id')),
);
const statusById = sql((q, p: { id: string }) => q.selectFrom('accounts').select('status').where('id', '=', p.id));
/** Guarded by the status it leaves: of several that ask at once, one is told that it made the change. */
const changeStatus = sql((q, p: { id: string; from: string; status: string }) =>
  q.updateTable('accounts').set({ status: p.status }).where('id', '=', p.id).where('status', '=', p.from),
);
const setNameOf = sql((q, p: { id: string; name: string | null }) =>
  q.updateTable('accounts').set({ name: p.name }).where('id', '=', p.id),
);
const setScopesOf = sql((q, p: { id: string; scopes: string | null }) =>
  q.updateTable('accounts').set({ allowed_scopes: p.scopes }).where('id', '=', p.id),
);

const toAccount = (row: Row): Account => ({
  id: row.id,
  parentId: row.parent_id,
  name: row.name,
  tier: row.tier as Tier,
  status: row.status as Account['status'],
  email: row.email,
  recoveryEmail: row.recovery_email,
  operatorEmail: row.operator_email,
  capabilities: JSON.parse(row.capabilities) as string[],
  allowedScopes: row.allowed_scopes === null ? null : (JSON.parse(row.allowed_scopes) as string[]),
  createdAt: row.created_at,
});

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  await tx.run(insertRow, {
    id: account.id,
    parent_id: account.parentId,
    name: account.name,
    tier: account.tier,
    status: account.status,
    email: account.email,
    recovery_email: account.recoveryEmail,
    operator_email: account.operatorEmail,
    capabilities: JSON.stringify(account.capabilities),
    allowed_scopes: account.allowedScopes === null ? null : JSON.stringify(account.allowedScopes),
    created_at: account.createdAt,
  });
}

export async function findAccount(reader: Reader, id: string): Promise<Account | null> {
  const row = await reader.first(byId, { id });
  return row ? toAccount(row) : null;
}

/** Accounts that have the address on record in any of its three places, oldest first. */
export const findAccountsByEmail = async (reader: Reader, email: string, limit: number): Promise<Account[]> =>
  (await reader.all(byAnyEmail, { email, limit })).map(toAccount);

/** A page of all accounts in id order, for the operator. */
export const listAccounts = async (reader: Reader, after: string, limit: number): Promise<Account[]> =>
  (await reader.all(page, { after, limit })).map(toAccount);

/** These two say whether the address is another one now. */
export const setRecoveryEmail = async (tx: Tx, id: string, email: string): Promise<boolean> =>
  (await tx.run(setRecovery, { id, email })) === 1;
export const setOperatorEmail = async (tx: Tx, id: string, email: string): Promise<boolean> =>
  (await tx.run(setOperator, { id, email })) === 1;

/** These say whether there was such an account. */
export const setTier = async (tx: Tx, id: string, tier: Tier): Promise<boolean> =>
  (await tx.run(setTierOf, { id, tier })) === 1;
export const setStatus = async (tx: Tx, id: string, status: Account['status']): Promise<boolean> =>
  (await tx.run(setStatusOf, { id, status })) === 1;
export const setAllowedScopes = async (tx: Tx, id: string, scopes: string[] | null): Promise<boolean> =>
  (await tx.run(setScopesOf, { id, scopes: scopes === null ? null : JSON.stringify(scopes) })) === 1;

/** Accounts by id, of those that there are. */
export const findAccounts = async (reader: Reader, ids: readonly string[]): Promise<Map<string, Account>> => {
  const rows = await reader.all(byIds, { ids: JSON.stringify(ids.map((id) => [id])) });
  return new Map(rows.map((row) => [row.id, toAccount(row)]));
};
export const accountStatus = async (reader: Reader, id: string): Promise<Account['status'] | null> =>
  ((await reader.first(statusById, { id }))?.status as Account['status'] | undefined) ?? null;
/** @returns false when the status was not `from` */
export const moveStatus = async (
  tx: Tx,
  id: string,
  from: Account['status'],
  status: Account['status'],
): Promise<boolean> => (await tx.run(changeStatus, { id, from, status })) === 1;
export const setName = async (tx: Tx, id: string, name: string | null): Promise<void> =>
  void (await tx.run(setNameOf, { id, name }));

const lockRow = sql((q, p: { id: string }, engine) => {
  const query = q.selectFrom('accounts').select('id').where('id', '=', p.id);
  return engine === 'postgres' ? query.forNoKeyUpdate() : query;
});

/**
 * Makes transactions that write for several accounts take turns, in one order, instead of dead-locking. Whoever is
 * about to touch the mail of more than one account calls it first.
 */
export async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await tx.first(lockRow, { id });
}
