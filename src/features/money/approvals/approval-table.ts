import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';
import type { DecisionStatus } from './decision-schema.ts';

/** Who decided: by what they are for the account whose limit it is. */
export const DECIDERS = ['operator', 'person', 'platform', 'account'] as const;

/** A question to the holder of a limit: may this charge exceed it? */
export const APPROVALS = table(
  'approvals',
  {
    id: exported.text('id'),
    /** The account that decides. */
    holderId: exported.text('holder_id'),
    /** The account that wants to spend. */
    spenderId: exported.text('spender_id'),
    amountUsdc: exported.integer('amount_usdc'),
    category: exported.text('category'),
    description: exported.text('description'),
    referenceId: exported.text('reference_id').orNull(),
    /** JSON text. */
    metadata: exported.text('metadata').orNull(),
    cause: exported.enum<'budget_exceeded' | 'single_tx_limit_exceeded'>()('cause'),
    status: exported.enum<DecisionStatus>()('status'),
    createdAt: exported.integer('created_at'),
    expiresAt: exported.integer('expires_at'),
    resolvedAt: exported.integer('resolved_at').orNull(),
    resolvedBy: exported.text('resolved_by').orNull(),
    decidedBy: exported.enum<(typeof DECIDERS)[number]>()('decided_by').orNull(),
    /** The comment that came with the decision. */
    reason: exported.text('reason').orNull(),
    chargeId: exported.text('charge_id').orNull(),
    /** The path of the delegation that the charge came by. */
    delegationPath: exported.text('delegation_path').orNull(),
  },
  {
    key: ['id'],
    account: ['spenderId', 'holderId'],
    erase: 'delete',
    page: ['id'],
  },
);
export type Approval = RecordOf<typeof APPROVALS>;
