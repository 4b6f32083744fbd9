import { sql as raw } from 'kysely';
import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Approval, ApprovalStatus } from './approval-data.ts';

interface Row {
  id: string;
  holder_id: string;
  spender_id: string;
  amount_usdc: number;
  category: string;
  description: string;
  reference_id: string | null;
  metadata: string | null;
  cause: string;
  status: string;
  created_at: number;
  expires_at: number;
  resolved_at: number | null;
  resolved_by: string | null;
  reason: string | null;
  charge_id: string | null;
}

interface Tables {
  approvals: Row;
  approval_tokens: { hash: string; approval_id: string; email: string; expires_at: number };
}

/** Whose approvals are listed: those an account decides about, or those it asked for. */
export type ApprovalSide = 'holder_id' | 'spender_id';

const sql = tables<Tables>();
const PENDING = raw.lit('pending');

const insertRow = sql((q, p: Row) =>
  q.insertInto('approvals').values({
    id: p.id,
    holder_id: p.holder_id,
    spender_id: p.spender_id,
    amount_usdc: p.amount_usdc,
    category: p.category,
    description: p.description,
    reference_id: p.reference_id,
    metadata: p.metadata,
    cause: p.cause,
    status: p.status,
    created_at: p.created_at,
    expires_at: p.expires_at,
    resolved_at: p.resolved_at,
    resolved_by: p.resolved_by,
    reason: p.reason,
    charge_id: p.charge_id,
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('approvals').selectAll().where('id', '=', p.id));

const byIdForUpdate = sql((q, p: { id: string }, engine) => {
  const query = q.selectFrom('approvals').selectAll().where('id', '=', p.id);
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** Only a pending approval takes an outcome: of any number at once, one gets the row. */
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
      .selectAll()
      .where(side, '=', p.account)
      .where('id', '<', p.before)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
  ofStatus: sql((q, p: PageParams & { status: string }) =>
    q
      .selectFrom('approvals')
      .selectAll()
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
      // A literal: a parameter would not tell the planner that the partial index serves.
      .where('status', '=', PENDING)
      .where('expires_at', '<=', p.now)
      .limit(p.limit),
  ),
});

const PAGES = { holder_id: pages('holder_id'), spender_id: pages('spender_id') };

const insertTokenRow = sql((q, p: Tables['approval_tokens']) =>
  q
    .insertInto('approval_tokens')
    .values({ hash: p.hash, approval_id: p.approval_id, email: p.email, expires_at: p.expires_at }),
);
const tokenByHash = sql((q, p: { hash: string }) =>
  q.selectFrom('approval_tokens').select(['approval_id', 'email']).where('hash', '=', p.hash),
);
const forgetTokens = sql((q, p: { before: number }) =>
  q.deleteFrom('approval_tokens').where('expires_at', '<', p.before),
);

const toApproval = (row: Row): Approval => ({
  id: row.id,
  holderId: row.holder_id,
  spenderId: row.spender_id,
  amountUsdc: row.amount_usdc,
  category: row.category,
  description: row.description,
  referenceId: row.reference_id,
  metadata: row.metadata,
  cause: row.cause as Approval['cause'],
  status: row.status as ApprovalStatus,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  resolvedAt: row.resolved_at,
  resolvedBy: row.resolved_by,
  reason: row.reason,
  chargeId: row.charge_id,
});

export const insertApproval = async (tx: Tx, approval: Approval): Promise<void> =>
  void (await tx.run(insertRow, {
    id: approval.id,
    holder_id: approval.holderId,
    spender_id: approval.spenderId,
    amount_usdc: approval.amountUsdc,
    category: approval.category,
    description: approval.description,
    reference_id: approval.referenceId,
    metadata: approval.metadata,
    cause: approval.cause,
    status: approval.status,
    created_at: approval.createdAt,
    expires_at: approval.expiresAt,
    resolved_at: approval.resolvedAt,
    resolved_by: approval.resolvedBy,
    reason: approval.reason,
    charge_id: approval.chargeId,
  }));

export async function findApproval(reader: Reader, id: string): Promise<Approval | null> {
  const row = await reader.first(byId, { id });
  return row ? toApproval(row) : null;
}

/** Holds everyone else who would decide until the transaction ends. */
export async function lockApproval(tx: Tx, id: string): Promise<Approval | null> {
  const row = await tx.first(byIdForUpdate, { id });
  return row ? toApproval(row) : null;
}

/** @returns false when it was no longer pending */
export const settleApproval = async (tx: Tx, approval: Approval): Promise<boolean> =>
  (await tx.run(settle, {
    id: approval.id,
    status: approval.status,
    resolved_at: approval.resolvedAt,
    resolved_by: approval.resolvedBy,
    reason: approval.reason,
    charge_id: approval.chargeId,
  })) === 1;

/** Before an id, newest first. */
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
  return rows.map(toApproval);
}

/** Pending ones whose time is over. */
export const overdueApprovals = async (
  reader: Reader,
  side: ApprovalSide,
  account: string,
  now: number,
  limit: number,
): Promise<string[]> => (await reader.all(PAGES[side].overdue, { account, now, limit })).map(({ id }) => id);

export const insertToken = async (
  tx: Tx,
  token: { hash: string; approvalId: string; email: string; expiresAt: number },
): Promise<void> =>
  void (await tx.run(insertTokenRow, {
    hash: token.hash,
    approval_id: token.approvalId,
    email: token.email,
    expires_at: token.expiresAt,
  }));

export async function findToken(reader: Reader, hash: string): Promise<{ approvalId: string; email: string } | null> {
  const row = await reader.first(tokenByHash, { hash });
  return row ? { approvalId: row.approval_id, email: row.email } : null;
}

export const purgeTokensBefore = (tx: Tx, before: number): Promise<number> => tx.run(forgetTokens, { before });
