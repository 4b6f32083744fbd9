import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A question to the holder of a limit: may this charge exceed it? */
export const APPROVALS = columnMap({
  id: column.text('id'),
  /** The account that decides. */
  holderId: column.text('holder_id'),
  /** The account that wants to spend. */
  spenderId: column.text('spender_id'),
  amountUsdc: column.integer('amount_usdc'),
  category: column.text('category'),
  description: column.text('description'),
  referenceId: column.text('reference_id').orNull(),
  /** JSON text. */
  metadata: column.text('metadata').orNull(),
  cause: column.word<'budget_exceeded' | 'single_tx_limit_exceeded'>()('cause'),
  status: column.word<ApprovalStatus>()('status'),
  createdAt: column.integer('created_at'),
  expiresAt: column.integer('expires_at'),
  resolvedAt: column.integer('resolved_at').orNull(),
  resolvedBy: column.text('resolved_by').orNull(),
  /** The comment that came with the decision. */
  reason: column.text('reason').orNull(),
  chargeId: column.text('charge_id').orNull(),
  /** The path of the delegation that the charge came by. */
  delegationPath: column.text('delegation_path').orNull(),
});
export type Approval = RecordOf<typeof APPROVALS>;

/** The token of a mailed link. It works while `email` is still a confirmed operator. */
export const APPROVAL_TOKENS = columnMap({
  hash: column.text('hash'),
  approvalId: column.text('approval_id'),
  email: column.text('email'),
  expiresAt: column.integer('expires_at'),
});
export type ApprovalToken = RecordOf<typeof APPROVAL_TOKENS>;
