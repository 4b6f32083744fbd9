import { Asker } from '../../../api/account/asker-fields.ts';
import { audited, named, nullable, oneOf, record, sameAs, timestamp } from '../../../api/fields.ts';
import { money, moneyFields } from '../../../api/money-fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { CapStates, metadataField } from '../budget-schema.ts';
import { type Approval, DECIDERS } from './approval-table.ts';
import { DECISION_STATUSES } from './decision-schema.ts';

export const ApprovalView = named(
  'Approval',
  record({
    id: Type.String(),
    account_id: Type.String({ description: 'The account that wants to spend: the caller or one of its pods.' }),
    ...moneyFields({ amount_usdc: Type.Integer({ description: 'Atomic USDC.' }) }),
    category: Type.String(),
    description: Type.String(),
    reference_id: nullable(Type.String()),
    status: audited(oneOf(DECISION_STATUSES)),
    created_at: timestamp(),
    resolved_at: nullable(timestamp()),
    resolved_by: nullable(
      Type.String({ description: '`session`, `api_key` or `mail_link`; null while pending or expired.' }),
    ),
    expires_at: timestamp(),
    metadata: nullable(metadataField),
    cause: oneOf(['budget_exceeded', 'single_tx_limit_exceeded'], {
      description: 'The limit that the charge exceeds.',
    }),
    reason: nullable(Type.String({ description: 'The comment that came with the decision.' })),
    charge_id: nullable(Type.String({ description: 'The recorded charge; null until approved.' })),
    delegation_id: nullable(Type.String(), { description: 'The delegation that the charge came by.' }),
    decided_by: nullable(oneOf(DECIDERS), {
      description: 'Who decided; null while pending, and for a decision of before.',
    }),
    decided_by_account: Type.String({
      description: 'The account whose limit it is: the caller, or a pod’s platform.',
    }),
  }),
);

/** An approval as its mailed link shows it. */
export const LinkedApproval = record({
  ...ApprovalView.properties,
  agent: Asker,
  caps: CapStates,
  passkey_required: Type.Boolean({ description: 'The link shows it. To decide, log in with a passkey.' }),
});

export const approvalBody = (approval: Approval) => ({
  id: approval.id,
  account_id: approval.spenderId,
  ...money({ amount_usdc: approval.amountUsdc }),
  category: approval.category,
  description: approval.description,
  reference_id: approval.referenceId,
  status: approval.status,
  created_at: iso(approval.createdAt),
  resolved_at: isoOrNull(approval.resolvedAt),
  resolved_by: approval.resolvedBy,
  expires_at: iso(approval.expiresAt),
  metadata: approval.metadata === null ? null : (JSON.parse(approval.metadata) as Record<string, unknown>),
  cause: approval.cause,
  reason: approval.reason,
  charge_id: approval.chargeId,
  delegation_id: approval.delegationPath?.split('/').at(-1) ?? null,
  decided_by: approval.decidedBy,
  decided_by_account: approval.holderId,
});

export const ResolvedApproval = named(
  'ResolvedApproval',
  record({
    ok: Type.Boolean(),
    id: Type.String(),
    approval_id: sameAs('id'),
    status: oneOf(['approved', 'rejected']),
    ...moneyFields({ amount_usdc: Type.Integer() }),
    category: Type.String(),
    description: Type.String(),
    reason: nullable(Type.String()),
    resolved_at: timestamp(),
    resolved_by: Type.String(),
    charge_id: nullable(Type.String({ description: 'The recorded charge; null when rejected.' })),
  }),
);

export const resolvedBody = (approval: Approval) => ({
  ok: true,
  id: approval.id,
  approval_id: approval.id,
  status: approval.status as 'approved' | 'rejected',
  ...money({ amount_usdc: approval.amountUsdc }),
  category: approval.category,
  description: approval.description,
  reason: approval.reason,
  resolved_at: iso(approval.resolvedAt as number),
  resolved_by: approval.resolvedBy as string,
  charge_id: approval.chargeId,
});
