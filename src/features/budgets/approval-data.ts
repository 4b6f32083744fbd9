export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export interface Approval {
  id: string;
  /** Whose it is to decide. */
  holderId: string;
  /** Who wants to spend. */
  spenderId: string;
  amountUsdc: number;
  category: string;
  description: string;
  referenceId: string | null;
  /** JSON text. */
  metadata: string | null;
  cause: 'budget_exceeded' | 'single_tx_limit_exceeded';
  status: ApprovalStatus;
  createdAt: number;
  expiresAt: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
  /** What the one who decided said. */
  reason: string | null;
  chargeId: string | null;
}
