import { Type } from 'typebox';
import { iso, isoOrNull } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import {
  cursorParam,
  limitParam,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  text,
  timestamp,
} from '../../kernel/fields.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import { APPROVAL_STATUSES, type Approval } from './approval-data.ts';
import { type ApprovalRules, dueApprovals, isOverdue, pageOfApprovals, requireApproval } from './approval-rules.ts';
import { metadataField } from './budget-schema.ts';

export interface ApprovalRouteDeps {
  approvals: ApprovalRules;
  database: Database;
}

const ApprovalFields = {
  id: Type.String(),
  account_id: Type.String({ description: 'Who wants to spend: this account, or a pod of it.' }),
  amount_usdc: Type.Integer(),
  category: Type.String(),
  description: Type.String(),
  reference_id: nullable(Type.String()),
  status: oneOf(APPROVAL_STATUSES),
  created_at: timestamp(),
  resolved_at: nullable(timestamp()),
  resolved_by: nullable(
    Type.String({ description: '`session`, `api_key` or `mail_link`; null while pending, and when it expired.' }),
  ),
  expires_at: timestamp(),
  metadata: nullable(metadataField),
  cause: oneOf(['budget_exceeded', 'single_tx_limit_exceeded'], { description: 'What the charge exceeded.' }),
  reason: nullable(Type.String({ description: 'What whoever decided said.' })),
  charge_id: nullable(Type.String({ description: 'The charge, once approved.' })),
  decided_by_account: Type.String({
    description: 'Whose it is to decide: the pod’s platform, where its limit is met.',
  }),
};
const ApprovalView = named('Approval', record(ApprovalFields));

const approvalBody = (approval: Approval) => ({
  id: approval.id,
  account_id: approval.spenderId,
  amount_usdc: approval.amountUsdc,
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
  decided_by_account: approval.holderId,
});

const listApprovals = ({ approvals, database }: ApprovalRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/approvals',
    operation: 'listApprovals',
    tag: 'Budget',
    summary: 'Charges that wait, or waited, for approval, newest first',
    auth: 'key',
    effect: 'lazy',
    action: 'approval.expired',
    query: record({
      status: Type.Optional(oneOf([...APPROVAL_STATUSES, 'all'], { default: 'pending' })),
      limit: limitParam(50, 200),
      cursor: cursorParam(),
    }),
    replies: {
      200: record({
        agent_id: Type.String(),
        status_filter: Type.String(),
        approvals: Type.Array(ApprovalView),
        count: Type.Integer(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now, transact }) => {
      const { status: wanted = 'pending', cursor } = query;
      const filter = { status: wanted === 'all' ? null : wanted, cursor, limit: query.limit as number, now };
      const answer = (page: Awaited<ReturnType<typeof pageOfApprovals>>) =>
        reply(200, {
          agent_id: principal.accountId,
          status_filter: wanted,
          approvals: page.approvals.map(approvalBody),
          count: page.approvals.length,
          next_cursor: page.nextCursor,
        });
      const due = await dueApprovals(database, principal, now);
      if (due.length === 0) return answer(await pageOfApprovals(database, principal, filter));
      return transact(async (tx) => {
        await approvals.expire(tx, due, now);
        return answer(await pageOfApprovals(tx, principal, filter));
      });
    },
  });

const ApprovalId = record({ id: text(64, { description: 'The `approval_id` of a charge.' }) });

const getApproval = ({ approvals, database }: ApprovalRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/approvals/{id}',
    operation: 'getApproval',
    tag: 'Budget',
    summary: 'One approval, and what became of it',
    auth: 'key',
    effect: 'lazy',
    action: 'approval.expired',
    params: ApprovalId,
    replies: { 200: ApprovalView },
    errors: ['not_found'],
    handle: async ({ principal, params, now, transact }) => {
      const { accountId } = principal;
      const found = await requireApproval(database, accountId, params.id);
      if (!isOverdue(found, now)) return reply(200, approvalBody(found));
      return transact(async (tx, audit) => {
        await approvals.expire(tx, [found.id], now);
        audit.resourceId = found.id;
        return reply(200, approvalBody(await requireApproval(tx, accountId, found.id)));
      });
    },
  });

const Resolved = named(
  'ResolvedApproval',
  record({
    ok: Type.Boolean(),
    id: Type.String(),
    approval_id: Type.String({ description: 'The same as `id`.' }),
    status: oneOf(['approved', 'rejected']),
    amount_usdc: Type.Integer(),
    category: Type.String(),
    description: Type.String(),
    reason: nullable(Type.String()),
    resolved_at: timestamp(),
    resolved_by: Type.String(),
    charge_id: nullable(Type.String({ description: 'The charge that was recorded, when approved.' })),
  }),
);

const resolvedBody = (approval: Approval) => ({
  ok: true,
  id: approval.id,
  approval_id: approval.id,
  status: approval.status as 'approved' | 'rejected',
  amount_usdc: approval.amountUsdc,
  category: approval.category,
  description: approval.description,
  reason: approval.reason,
  resolved_at: iso(approval.resolvedAt as number),
  resolved_by: approval.resolvedBy as string,
  charge_id: approval.chargeId,
});

const by = ({ credential }: Principal): 'session' | 'api_key' => credential;
const reasonField = Type.Optional(text(1000, { description: 'Why; kept with the approval.' }));

const approve = ({ approvals }: ApprovalRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/approve',
    operation: 'approveCharge',
    tag: 'Budget',
    summary: 'Approve a charge: it is recorded, caps or not',
    auth: 'key',
    effect: 'write',
    action: 'approval.approved',
    params: ApprovalId,
    body: record({ reason: reasonField }),
    replies: { 200: Resolved },
    errors: [
      'not_found',
      'already_resolved',
      'expired',
      'operator_required',
      'pod_auth_forbidden',
      'budget_exceeded',
      'single_tx_limit_exceeded',
    ],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const decision = { approve: true, reason: body.reason ?? null, by: by(principal), now };
        return reply(200, resolvedBody(await approvals.resolve(tx, principal, params.id, decision)));
      }),
  });

const reject = ({ approvals }: ApprovalRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/reject',
    operation: 'rejectCharge',
    tag: 'Budget',
    summary: 'Reject a charge: nothing is recorded',
    auth: 'key',
    effect: 'write',
    action: 'approval.rejected',
    params: ApprovalId,
    body: record({ reason: reasonField }),
    replies: { 200: Resolved },
    errors: ['not_found', 'already_resolved', 'expired', 'pod_auth_forbidden'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const decision = { approve: false, reason: body.reason ?? null, by: by(principal), now };
        return reply(200, resolvedBody(await approvals.resolve(tx, principal, params.id, decision)));
      }),
  });

const tokenField = text(64, { minLength: 1, description: 'From the fragment of the mailed link.' });

const view = ({ approvals, database }: ApprovalRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/view',
    operation: 'viewApproval',
    tag: 'Budget',
    summary: 'What a mailed link asks; decides nothing',
    description: 'Needs no key: the token of the link is the proof. Looking uses nothing up.',
    auth: 'none',
    effect: 'none',
    params: ApprovalId,
    body: record({ token: tokenField }),
    replies: { 200: ApprovalView },
    errors: ['invalid_token'],
    handle: async ({ params, body, now }) => {
      const approval = await approvals.viewByToken(database, params.id, body.token);
      return reply(200, approvalBody(isOverdue(approval, now) ? { ...approval, status: 'expired' } : approval));
    },
  });

const decide = ({ approvals }: ApprovalRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/decide',
    operation: 'decideApproval',
    tag: 'Budget',
    summary: 'Approve or reject with the token of a mailed link',
    description: 'Needs no key: the token of the link, mailed to the operator, is the proof. It decides once.',
    auth: 'none',
    effect: 'write',
    action: 'approval.decided',
    params: ApprovalId,
    body: record({ token: tokenField, decision: oneOf(['approve', 'reject']), reason: reasonField }),
    replies: { 200: Resolved },
    errors: ['invalid_token', 'already_resolved', 'expired'],
    handle: async ({ params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const decision = {
          approve: body.decision === 'approve',
          reason: body.reason ?? null,
          by: 'mail_link' as const,
          now,
        };
        const approval = await approvals.resolveByToken(tx, params.id, body.token, decision);
        audit.resourceId = approval.id;
        audit.accountId = approval.holderId;
        return reply(200, resolvedBody(approval));
      }),
  });

export const approvalRoutes = (deps: ApprovalRouteDeps): Endpoint[] => [
  listApprovals(deps),
  getApproval(deps),
  approve(deps),
  reject(deps),
  view(deps),
  decide(deps),
];
