import { type BatchWork, type Endpoint, endpoint, reply } from '../../api/endpoint.ts';
import { invalidField } from '../../api/errors.ts';
import { guidance, nullable, oneOf, record, timestamp } from '../../api/fields.ts';
import {
  atomicAmount,
  displayed,
  money,
  moneyFields,
  smallAmountField,
  smallAmountWarning,
} from '../../api/money-fields.ts';
import { iso } from '../../base/clock.ts';
import { CAP_PERIODS } from '../../base/period.ts';
import { Type } from '../../base/schema.ts';
import { usdc } from '../../base/usdc.ts';
import { CHARGE_RANGE, chargeAmount, chargeTexts, metadataField } from './budget-schema.ts';
import { forEachPeriod } from './budget-table.ts';
import type { Charge, Charged } from './charge.ts';
import { excessFields, excessMessage } from './charge-decision.ts';

const METADATA_BYTES = 4096;

const ChargeBody = record({
  amount: chargeAmount,
  category: Type.Optional({ ...chargeTexts.category, default: 'platform' }),
  description: Type.Optional(chargeTexts.description),
  reference_id: Type.Optional(chargeTexts.reference_id),
  metadata: Type.Optional(metadataField),
});

/** One exceeded cap, in a 202 and beside the error of a 402. */
const ExceededPeriod = record({
  period: oneOf(CAP_PERIODS),
  ...moneyFields({
    spent_usdc: nullable(Type.Integer()),
    limit_usdc: nullable(Type.Integer()),
    remaining_usdc: nullable(Type.Integer()),
  }),
  resets_at: timestamp(),
  limit_set_by: oneOf(['account', 'platform'], {
    description:
      '`account`: a limit of this account, set by account, operator or platform. For a limit of the platform’s own budget, the amounts are null.',
  }),
});

const Completed = record({
  status: oneOf(['completed']),
  charge_id: Type.String(),
  ...moneyFields({ amount_usdc: Type.Integer({ description: 'Atomic USDC.' }) }),
  category: Type.String(),
  description: Type.String(),
  reference_id: nullable(Type.String()),
  remaining: record(
    forEachPeriod(() => Type.Optional(Type.Integer())),
    {
      description: 'Atomic USDC left in each capped period.',
    },
  ),
  remaining_display: record(forEachPeriod(() => Type.Optional(Type.String()))),
  message: guidance(Type.String()),
  warning: smallAmountField,
});

const Asked = record({
  status: oneOf(['approval_required']),
  approval_id: Type.String(),
  reason: oneOf(['budget_exceeded', 'single_tx_limit_exceeded']),
  ...moneyFields({ amount_usdc: Type.Integer() }),
  exceeded: Type.Optional(Type.Array(ExceededPeriod)),
  single_tx_limit_usdc: Type.Optional(
    nullable(Type.Integer({ description: 'Null when the limit is the platform’s.' })),
  ),
  single_tx_limit_usdc_display: Type.Optional(nullable(Type.String())),
  expires_at: timestamp(),
  check_url: Type.String({ description: 'Returns the approval. Poll it for the outcome.' }),
  asked: record({
    whom: oneOf(['operator', 'platform', 'account']),
    by: Type.Array(oneOf(['mail', 'event', 'console'])),
  }),
  message: guidance(Type.String()),
  warning: smallAmountField,
});

function metadataText(metadata: Record<string, unknown> | undefined): string | null {
  if (metadata === undefined) return null;
  const json = JSON.stringify(metadata);
  if (Buffer.byteLength(json) > METADATA_BYTES)
    throw invalidField('/body/metadata', 'too_long', `metadata must be at most ${METADATA_BYTES} bytes of JSON.`);
  return json;
}

const completed = ({ charge, chargeId, remaining }: Extract<Charged, { kind: 'completed' }>) => {
  const { amountUsdc, category, description, referenceId } = charge;
  return reply(200, {
    status: 'completed' as const,
    charge_id: chargeId,
    ...money({ amount_usdc: amountUsdc }),
    category,
    description,
    reference_id: referenceId,
    remaining,
    remaining_display: displayed(remaining),
    message: `${usdc(amountUsdc)} USDC is recorded.`,
    ...smallAmountWarning([amountUsdc]),
  });
};

/** The type of {@link excessFields} in a reply. */
interface ExcessFields {
  exceeded?: {
    period: 'daily' | 'weekly' | 'monthly';
    spent_usdc: number | null;
    spent_usdc_display: string | null;
    limit_usdc: number | null;
    limit_usdc_display: string | null;
    remaining_usdc: number | null;
    remaining_usdc_display: string | null;
    resets_at: string;
    limit_set_by: 'account' | 'platform';
  }[];
  single_tx_limit_usdc?: number | null;
  single_tx_limit_usdc_display?: string | null;
}

const asked = (
  { approval, excess, asked: { whom, by } }: Extract<Charged, { kind: 'approval_required' }>,
  baseUrl: string,
) => {
  const { id, amountUsdc, expiresAt } = approval;
  return reply(202, {
    status: 'approval_required' as const,
    approval_id: id,
    reason: excess.reason,
    ...money({ amount_usdc: amountUsdc }),
    ...(excessFields(excess) as ExcessFields),
    expires_at: iso(expiresAt),
    check_url: `${baseUrl}/v1/approvals/${id}`,
    asked: { whom, by },
    message: `${excessMessage(excess, amountUsdc)} The charge waits for approval.`,
    ...smallAmountWarning([amountUsdc]),
  });
};

const charge = (charges: BatchWork<Charge, Charged>, baseUrl: () => string) =>
  endpoint({
    method: 'POST',
    path: '/v1/charge',
    operation: 'charge',
    tag: 'Budget',
    summary: 'Charge the budget',
    description:
      '200: the charge fits every limit and is recorded. 202: it is over a limit with `on_limit: "approve"`, and nothing is recorded until it is approved. 402: it is over a limit with `on_limit: "reject"`. Send an `Idempotency-Key` so that a retry charges only once.',
    auth: 'key',
    scope: 'money:spend',
    addresses: 'none',
    effect: 'write',
    leaves: ['pay'],
    action: 'charge.made',
    body: ChargeBody,
    tools: [
      {
        name: 'charge',
        group: 'money',
        description: 'Spend from the budget. Over a limit the operator is asked: status approval_required.',
        takes: ['amount', 'description', 'category', 'reference_id'],
      },
    ],
    replies: { 200: Completed, 202: Asked },
    errors: ['budget_exceeded', 'single_tx_limit_exceeded'],
    handle: async ({ principal, body, now, transactBatch }) =>
      transactBatch(
        charges,
        {
          spenderId: principal.accountId,
          parentId: principal.parentId,
          amountUsdc: atomicAmount(body.amount, '/body/amount', CHARGE_RANGE),
          category: body.category as string,
          description: body.description ?? '',
          referenceId: body.reference_id ?? null,
          metadata: metadataText(body.metadata),
          delegationPath: principal.delegation?.chain.join('/') ?? null,
          now,
        },
        (value) => (value.kind === 'completed' ? completed(value) : asked(value, baseUrl())),
      ),
  });

export const chargeRoutes = (charges: BatchWork<Charge, Charged>, baseUrl: () => string): Endpoint[] => [
  charge(charges, baseUrl),
];
