import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import {
  APPROVAL_TOKENS,
  APPROVALS,
  type Approval,
  type ApprovalStatus,
  type ApprovalToken,
} from './approval-table.ts';

type Row = RowOf<typeof APPROVALS>;
type TokenRow = RowOf<typeof APPROVAL_TOKENS>;

/** Which approvals are listed: those that the account decides, or those that it asked for. */
export type ApprovalSide = 'holder_id' | 'spender_id';

const sql = tables<{ approvals: Row; approval_tokens: TokenRow }>();
const PENDING = raw.lit<ApprovalStatus>('pending');

const insertRow = sql((q, p: Row) => q.insertInto('approvals').values(APPROVALS.values(p)));

const byId = sql((q, p: { id: string }) => q.selectFrom('approvals').select(APPROVALS.names).where('id', '=', p.id));

const byIdForUpdate = sql((q, p: { id: string }, engine) => {
  const query = q.selectFrom('approvals').select(APPROVALS.names).where('id', '=', p.id);
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** Only a pending approval takes an outcome, so that one of several concurrent decisions wins. */
const settle = sql((q, p: Pick<Row, 'id' | 'status' | 'resolved_at' | 'resolved_by' | 'reason' | 'charge_id'>) =>
  q
    .updateTable('approvals')
    .set({
      status: p.status,
      resolved_at: p.resolved_at,
      resolved_by: p.resolved_by,
      reason: p.reason,
      charge_id: p.charge_id,
    })
    .where('id', '=', p.id)
    .where('status', '=', 'pending'),
);

interface PageParams {
  account: string;
  before: string;
  limit: number;
}

const pages = (side: ApprovalSide) => ({
  all: sql((q, p: PageParams) =>
    q
      .selectFrom('approvals')
      .select(APPROVALS.names)
      .where(side, '=', p.account)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
  ofStatus: sql((q, p: PageParams & { status: ApprovalStatus }) =>
    q
      .selectFrom('approvals')
      .select(APPROVALS.names)
      .where(side, '=', p.account)
      .where('status', '=', p.status)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
  overdue: sql((q, p: { account: string; now: number; limit: number }) =>
    q
      .selectFrom('approvals')
      .select('id')
      .where(side, '=', p.account)
      // A literal, because with a parameter the planner does not use the partial index.
      .where('status', '=', PENDING)
      .where('expires_at', '<=', p.now)
      .limit(p.limit),
  ),
});

const PAGES = { holder_id: pages('holder_id'), spender_id: pages('spender_id') };

const pendingByHolder = sql((q, p: { ids: string; now: number }, engine) =>
  q
    .selectFrom('approvals')
    .select((eb) => ['holder_id', eb.fn.countAll<number>().as('pending')])
    .where((eb) => isAmong(engine, eb.ref('holder_id'), p.ids))
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now)
    .groupBy('holder_id'),
);

const insertTokenRow = sql((q, p: TokenRow) => q.insertInto('approval_tokens').values(APPROVAL_TOKENS.values(p)));
const tokenByHash = sql((q, p: { hash: string }) =>
  q.selectFrom('approval_tokens').select(['approval_id', 'email']).where('hash', '=', p.hash),
);
const deleteTokens = sql((q, p: { before: number }) =>
  q.deleteFrom('approval_tokens').where('expires_at', '<', p.before),
);

export const insertApproval = async (tx: Tx, approval: Approval): Promise<void> =>
  void (await tx.run(insertRow, APPROVALS.toRow(approval)));

export async function findApproval(reader: Reader, id: string): Promise<Approval | null> {
  const row = await reader.first(byId, { id });
  return row ? APPROVALS.fromRow(row) : null;
}

/** Locks an approval, so that other decisions wait until the transaction ends. */
export async function lockApproval(tx: Tx, id: string): Promise<Approval | null> {
  const row = await tx.first(byIdForUpdate, { id });
  return row ? APPROVALS.fromRow(row) : null;
}

/** Stores the outcome of a pending approval. @returns false when it was no longer pending */
export const settleApproval = async (tx: Tx, approval: Approval): Promise<boolean> =>
  (await tx.run(settle, APPROVALS.toRow(approval))) === 1;

/** Lists the approvals before an id, newest first. */
export async function listApprovals(
  reader: Reader,
  side: ApprovalSide,
  account: string,
  filter: { status: ApprovalStatus | null; before: string; limit: number },
): Promise<Approval[]> {
  const { status, before, limit } = filter;
  const { all, ofStatus } = PAGES[side];
  const params = { account, before, limit };
  const rows = status === null ? await reader.all(all, params) : await reader.all(ofStatus, { ...params, status });
  return rows.map(APPROVALS.fromRow);
}

/** Counts the pending approvals of each account that decides, but for those that have expired. */
export async function countPending(
  reader: Reader,
  accountIds: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const ids = JSON.stringify(accountIds.map((id) => [id]));
  const rows = await reader.all(pendingByHolder, { ids, now });
  return new Map(rows.map((row) => [row.holder_id, row.pending]));
}

/** Returns the ids of pending approvals that have expired. */
export const overdueApprovals = async (
  reader: Reader,
  side: ApprovalSide,
  account: string,
  now: number,
  limit: number,
): Promise<string[]> => (await reader.all(PAGES[side].overdue, { account, now, limit })).map(({ id }) => id);

export const insertToken = async (tx: Tx, token: ApprovalToken): Promise<void> =>
  void (await tx.run(insertTokenRow, APPROVAL_TOKENS.toRow(token)));

export async function findToken(
  reader: Reader,
  hash: string,
): Promise<Pick<ApprovalToken, 'approvalId' | 'email'> | null> {
  const row = await reader.first(tokenByHash, { hash });
  return row ? { approvalId: row.approval_id, email: row.email } : null;
}

/** Deletes the tokens that expired before `before`. */
export const purgeTokensBefore = (tx: Tx, before: number): Promise<number> => tx.run(deleteTokens, { before });
