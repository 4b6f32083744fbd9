import { sql as raw } from 'kysely';
import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { Sealed } from '../../../base/sealing.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { isAfterPlace } from '../../../db/waiting-rows.ts';
import {
  CREDENTIAL_REQUESTS,
  type CredentialRequest,
  type ResolvedBy,
  type StoredStatus,
} from './secret-request-table.ts';

type Row = RowOf<typeof CREDENTIAL_REQUESTS>;

export const findByDevice = CREDENTIAL_REQUESTS.find(['deviceHash']);
export const findByUserCode = CREDENTIAL_REQUESTS.find(['userCodeHash']);
export const setViewed = CREDENTIAL_REQUESTS.patch(['viewedAt'], { viewedAt: null });
/** Notes that the agent knows how its request ended. */
export const setTold = CREDENTIAL_REQUESTS.patch(['toldAt'], { toldAt: null });
const saveValue = CREDENTIAL_REQUESTS.patch(['sealedValue']);
const purgeBefore = CREDENTIAL_REQUESTS.purge('expiresAt');

const sql = tables<{ credential_requests: Row }>();
/** Literals, because with parameters the planner does not use the partial indexes. */
const PENDING = raw.lit<StoredStatus>('pending');
const APPROVED = raw.lit<StoredStatus>('approved');
const DENIED = raw.lit<StoredStatus>('denied');

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

const openOfOperator = sql((q, p: { operator_id: string; now: number; before: string; limit: number }) =>
  q
    .selectFrom('credential_requests')
    .select(CREDENTIAL_REQUESTS.names)
    .where('operator_id', '=', p.operator_id)
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const open = sql((q, p: WaitingParams & { operated: string }, engine) =>
  q
    .selectFrom('credential_requests')
    .select(CREDENTIAL_REQUESTS.names)
    .where((eb) =>
      eb.or([isAmong(engine, eb.ref('operator_id'), p.operated), isAmong(engine, eb.ref('account_id'), p.ids)]),
    )
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now)
    .where((eb) => isAfterPlace(eb.ref('created_at'), eb.ref('id'), p))
    .orderBy('created_at')
    .orderBy('id')
    .limit(p.limit),
);

const untold = sql((q, p: WaitingParams & { from: number }, engine) =>
  q
    .selectFrom('credential_requests')
    .select(CREDENTIAL_REQUESTS.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('status', 'in', [APPROVED, DENIED])
    .where('told_at', 'is', null)
    .where('resolved_at', '>', p.from)
    .where((eb) => isAfterPlace(eb.ref('resolved_at'), eb.ref('id'), p))
    .orderBy('resolved_at')
    .orderBy('id')
    .limit(p.limit),
);

type Resolved = Pick<
  Row,
  'id' | 'status' | 'sealed_value' | 'vault_key' | 'resolved_by' | 'resolved_at' | 'expires_at'
>;

/** Checks and decides in one statement, so that one of several parallel decisions counts. */
const resolveRow = sql((q, p: Resolved & { now: number }) =>
  q
    .updateTable('credential_requests')
    .set({
      status: p.status,
      sealed_value: p.sealed_value,
      vault_key: p.vault_key,
      resolved_at: p.resolved_at,
      resolved_by: p.resolved_by,
      expires_at: p.expires_at,
    })
    .where('id', '=', p.id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', p.now),
);

/** Checks and locks in one statement, so that one of several parallel polls gets the value. */
const lockApproved = sql((q, p: { id: string; now: number }) =>
  q
    .updateTable('credential_requests')
    .set({ status: 'delivered' })
    .where('id', '=', p.id)
    .where('status', '=', 'approved')
    .where('expires_at', '>', p.now)
    .returning('sealed_value'),
);

const countWrongBy = (column: 'id' | 'operator_id') =>
  sql((q, p: { of: string; now: number }) =>
    q
      .updateTable('credential_requests')
      .set((eb) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
      .where(column, '=', p.of)
      .where('status', '=', 'pending')
      .where('expires_at', '>', p.now)
      .returning(CREDENTIAL_REQUESTS.names),
  );
const countWrongOf = countWrongBy('id');
const countWrongOfOperator = countWrongBy('operator_id');

const deleteValues = sql((q, p: { now: number }) =>
  q
    .updateTable('credential_requests')
    .set({ sealed_value: null })
    .where('expires_at', '<=', p.now)
    .where('sealed_value', 'is not', null),
);

/** @returns false when another request has the same user code */
export const insertRequest = CREDENTIAL_REQUESTS.insertNew(['userCodeHash']);

/** The times at which the open requests of an account end, soonest first. */
export const openExpiries = async (reader: Reader, accountId: string, now: number, limit: number): Promise<number[]> =>
  (await reader.all(openOf, { account_id: accountId, now, limit })).map((row) => row.expires_at);

/** The open requests that an account's operator decides, before an id, newest first. */
export async function openRequestsOf(
  reader: Reader,
  operatorId: string,
  { now, before, limit }: { now: number; before: string; limit: number },
): Promise<CredentialRequest[]> {
  const rows = await reader.all(openOfOperator, { operator_id: operatorId, now, before, limit });
  return rows.map(CREDENTIAL_REQUESTS.fromRow);
}

/** Lists the open requests that these accounts made and, for an operator, those that their operators decide, oldest first. */
export const waitingRequests = async (
  reader: Reader,
  params: WaitingParams,
  isOperator: boolean,
): Promise<CredentialRequest[]> =>
  (await reader.all(open, { ...params, operated: isOperator ? params.ids : '[]' })).map(CREDENTIAL_REQUESTS.fromRow);

/** Lists what was decided after a time and the agent has not asked after, oldest first. */
export const untoldRequests = async (reader: Reader, params: WaitingParams, from: number) =>
  (await reader.all(untold, { ...params, from })).map(CREDENTIAL_REQUESTS.fromRow);

export interface Decision {
  status: 'approved' | 'denied';
  sealedValue: Sealed | null;
  vaultKey: string | null;
  by: ResolvedBy;
  now: number;
  /** Until when an approved value can be collected. */
  expiresAt: number;
}

/** @returns false when the request was decided before or has expired */
export const resolveRequest = async (tx: Tx, id: string, decision: Decision): Promise<boolean> =>
  (await tx.run(resolveRow, {
    id,
    status: decision.status,
    sealed_value: decision.sealedValue,
    vault_key: decision.vaultKey,
    resolved_by: decision.by,
    resolved_at: decision.now,
    now: decision.now,
    expires_at: decision.expiresAt,
  })) === 1;

/** Returns the sealed value and deletes it. @returns null when another poll got it or it has expired */
export async function takeValue(tx: Tx, id: string, now: number): Promise<Sealed | null> {
  const row = await tx.first(lockApproved, { id, now });
  if (!row) return null;
  await saveValue(tx, { id, sealedValue: null });
  return row.sealed_value;
}

/** Counts a wrong code for one open request, or for all open requests of an operator. @returns them with the new count */
export async function countWrongCode(
  tx: Tx,
  of: { requestId: string } | { operatorId: string },
  now: number,
): Promise<CredentialRequest[]> {
  const rows =
    'requestId' in of
      ? await tx.all(countWrongOf, { of: of.requestId, now })
      : await tx.all(countWrongOfOperator, { of: of.operatorId, now });
  return rows.map(CREDENTIAL_REQUESTS.fromRow);
}

/** Deletes values that were not collected in time, and requests that ended before `before`. */
export async function purgeRequests(tx: Tx, now: number, before: number): Promise<void> {
  await tx.run(deleteValues, { now });
  await purgeBefore(tx, before);
}
