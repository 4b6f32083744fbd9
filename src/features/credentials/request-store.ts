import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  id: string;
  account_id: string;
  operator_id: string;
  device_hash: string;
  user_code_hash: string;
  public_key: string;
  own_key: number;
  description: string;
  vault_key: string | null;
  status: string;
  wrong_codes: number;
  sealed_value: string | null;
  created_at: number;
  viewed_at: number | null;
  expires_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
}

/** `pending` past `expiresAt` is expired; nothing writes that down. */
export type StoredStatus = 'pending' | 'approved' | 'denied' | 'delivered';
export type ResolvedBy = 'mail_link' | 'session' | 'wrong_codes';

export interface CredentialRequest {
  id: string;
  /** Who asks. */
  accountId: string;
  /** Whose operator decides: the platform of a pod, else the account itself. */
  operatorId: string;
  deviceHash: string;
  userCodeHash: string;
  /** X25519, base64url: what the value is sealed to. */
  publicKey: string;
  /** Whether the agent brought that key. */
  ownKey: boolean;
  description: string;
  vaultKey: string | null;
  status: StoredStatus;
  createdAt: number;
  viewedAt: number | null;
  expiresAt: number;
  resolvedAt: number | null;
  resolvedBy: ResolvedBy | null;
}

const sql = tables<{ credential_requests: Row }>();

type NewRow = Omit<Row, 'status' | 'wrong_codes' | 'sealed_value' | 'viewed_at' | 'resolved_at' | 'resolved_by'>;

const insertRow = sql((q, p: NewRow) =>
  q
    .insertInto('credential_requests')
    .values({
      id: p.id,
      account_id: p.account_id,
      operator_id: p.operator_id,
      device_hash: p.device_hash,
      user_code_hash: p.user_code_hash,
      public_key: p.public_key,
      own_key: p.own_key,
      description: p.description,
      vault_key: p.vault_key,
      status: 'pending',
      wrong_codes: 0,
      sealed_value: null,
      created_at: p.created_at,
      viewed_at: null,
      expires_at: p.expires_at,
      resolved_at: null,
      resolved_by: null,
    })
    .onConflict((conflict) => conflict.column('user_code_hash').doNothing()),
);

const byDevice = sql((q, p: { hash: string }) =>
  q.selectFrom('credential_requests').selectAll().where('device_hash', '=', p.hash),
);
const byUserCode = sql((q, p: { hash: string }) =>
  q.selectFrom('credential_requests').selectAll().where('user_code_hash', '=', p.hash),
);

/** As many as an account may have open at most. */
const openOf = sql((q, p: { account_id: string; now: number; limit: number }) =>
  q
    .selectFrom('credential_requests')
    .select('expires_at')
    .where('account_id', '=', p.account_id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', p.now)
    .orderBy('expires_at')
    .limit(p.limit),
);

const markViewed = sql((q, p: { id: string; now: number }) =>
  q.updateTable('credential_requests').set({ viewed_at: p.now }).where('id', '=', p.id).where('viewed_at', 'is', null),
);

type Resolution = {
  id: string;
  status: string;
  sealed_value: string | null;
  vault_key: string | null;
  resolved_by: string;
  now: number;
  expires_at: number;
};

/** Check and decide in one statement: of any number of decisions one gets the row. */
const resolveRow = sql((q, p: Resolution) =>
  q
    .updateTable('credential_requests')
    .set({
      status: p.status,
      sealed_value: p.sealed_value,
      vault_key: p.vault_key,
      resolved_at: p.now,
      resolved_by: p.resolved_by,
      expires_at: p.expires_at,
    })
    .where('id', '=', p.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', p.now),
);

/** Taking the value out is locking: of any number of polls one gets it. */
const lockApproved = sql((q, p: { id: string; now: number }) =>
  q
    .updateTable('credential_requests')
    .set({ status: 'delivered' })
    .where('id', '=', p.id)
    .where('status', '=', 'approved')
    .where('expires_at', '>', p.now)
    .returning('sealed_value'),
);
const dropValue = sql((q, p: { id: string }) =>
  q.updateTable('credential_requests').set({ sealed_value: null }).where('id', '=', p.id),
);

const countWrongOf = sql((q, p: { id: string; now: number }) =>
  q
    .updateTable('credential_requests')
    .set((eb) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('id', '=', p.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', p.now)
    .returningAll(),
);
const countWrongOfOperator = sql((q, p: { operator_id: string; now: number }) =>
  q
    .updateTable('credential_requests')
    .set((eb) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('operator_id', '=', p.operator_id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', p.now)
    .returningAll(),
);

const forgetValues = sql((q, p: { now: number }) =>
  q
    .updateTable('credential_requests')
    .set({ sealed_value: null })
    .where('expires_at', '<=', p.now)
    .where('sealed_value', 'is not', null),
);
const forgetRows = sql((q, p: { before: number }) =>
  q.deleteFrom('credential_requests').where('expires_at', '<=', p.before),
);

const toRequest = (row: Row): CredentialRequest => ({
  id: row.id,
  accountId: row.account_id,
  operatorId: row.operator_id,
  deviceHash: row.device_hash,
  userCodeHash: row.user_code_hash,
  publicKey: row.public_key,
  ownKey: row.own_key === 1,
  description: row.description,
  vaultKey: row.vault_key,
  status: row.status as StoredStatus,
  createdAt: row.created_at,
  viewedAt: row.viewed_at,
  expiresAt: row.expires_at,
  resolvedAt: row.resolved_at,
  resolvedBy: row.resolved_by as ResolvedBy | null,
});

/** @returns false when another request has the same user code */
export const insertRequest = async (
  tx: Tx,
  request: Omit<CredentialRequest, 'status' | 'viewedAt' | 'resolvedAt' | 'resolvedBy'>,
): Promise<boolean> =>
  (await tx.run(insertRow, {
    id: request.id,
    account_id: request.accountId,
    operator_id: request.operatorId,
    device_hash: request.deviceHash,
    user_code_hash: request.userCodeHash,
    public_key: request.publicKey,
    own_key: request.ownKey ? 1 : 0,
    description: request.description,
    vault_key: request.vaultKey,
    created_at: request.createdAt,
    expires_at: request.expiresAt,
  })) === 1;

export async function findByDevice(reader: Reader, hash: string): Promise<CredentialRequest | null> {
  const row = await reader.first(byDevice, { hash });
  return row ? toRequest(row) : null;
}

export async function findByUserCode(reader: Reader, hash: string): Promise<CredentialRequest | null> {
  const row = await reader.first(byUserCode, { hash });
  return row ? toRequest(row) : null;
}

/** When the open requests of an account end, soonest first. */
export const openExpiries = async (reader: Reader, accountId: string, now: number, limit: number): Promise<number[]> =>
  (await reader.all(openOf, { account_id: accountId, now, limit })).map((row) => row.expires_at);

export const setViewed = async (tx: Tx, id: string, now: number): Promise<void> =>
  void (await tx.run(markViewed, { id, now }));

export interface Decision {
  status: 'approved' | 'denied';
  sealedValue: string | null;
  vaultKey: string | null;
  by: ResolvedBy;
  now: number;
  /** An approved value waits this long to be collected. */
  expiresAt: number;
}

/** @returns false when it was decided before, or has expired */
export const resolveRequest = async (tx: Tx, id: string, decision: Decision): Promise<boolean> =>
  (await tx.run(resolveRow, {
    id,
    status: decision.status,
    sealed_value: decision.sealedValue,
    vault_key: decision.vaultKey,
    resolved_by: decision.by,
    now: decision.now,
    expires_at: decision.expiresAt,
  })) === 1;

/** Hands the sealed value out and forgets it; null when another poll got it, or it has expired. */
export async function takeValue(tx: Tx, id: string, now: number): Promise<string | null> {
  const row = await tx.first(lockApproved, { id, now });
  if (!row) return null;
  await tx.run(dropValue, { id });
  return row.sealed_value;
}

/** Counts a wrong code against one open request, or against each that an operator could have meant. */
export async function countWrongCode(
  tx: Tx,
  of: { requestId: string } | { operatorId: string },
  now: number,
): Promise<{ request: CredentialRequest; wrongCodes: number }[]> {
  const rows =
    'requestId' in of
      ? await tx.all(countWrongOf, { id: of.requestId, now })
      : await tx.all(countWrongOfOperator, { operator_id: of.operatorId, now });
  return rows.map((row) => ({ request: toRequest(row), wrongCodes: row.wrong_codes }));
}

/** Forgets values that nobody collected, and requests that ended before `before`. */
export async function purgeRequests(tx: Tx, now: number, before: number): Promise<void> {
  await tx.run(forgetValues, { now });
  await tx.run(forgetRows, { before });
}
