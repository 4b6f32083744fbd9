import { changeOf } from '../../../api/audit-record.ts';
import { type AuditNote, type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, oneOf, record, text } from '../../../api/fields.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { capsBody } from '../budget-schema.ts';
import { spendingOf } from '../ledger/spending-text.ts';
import {
  APPROVAL,
  type ApprovalRules,
  describeApproval,
  dueApprovals,
  pageOfApprovals,
  requireApproval,
} from './approval.ts';
import { ApprovalView, approvalBody, LinkedApproval, ResolvedApproval, resolvedBody } from './approval-schema.ts';
import type { Approval } from './approval-table.ts';
import { requireLinked } from './decision.ts';
import { DECISION_STATUSES, isOverdue, linkTokenField, statusAt } from './decision-schema.ts';

const listApprovals = (approvals: ApprovalRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/approvals',
    operation: 'listApprovals',
    tag: 'Budget',
    summary: 'List approvals, newest first',
    description:
      'Lists pending approvals by default. A platform sees the approvals that it decides, including those of its pods; a pod sees those that it requested.',
    model: false,
    auth: 'key',
    scope: 'money:read',
    addresses: 'none',
    effect: 'lazy',
    leaves: [],
    bucket: 'inspect',
    action: 'approval.expired',
    query: record({
      status: Type.Optional(oneOf([...DECISION_STATUSES, 'all'], { default: 'pending' })),
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

const getApproval = (approvals: ApprovalRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/approvals/{id}',
    operation: 'getApproval',
    tag: 'Budget',
    summary: 'Get an approval',
    description: 'Poll this, or wait for the event `approval.resolved`, to learn the outcome.',
    model: false,
    auth: 'key',
    scope: 'money:read',
    addresses: 'none',
    effect: 'lazy',
    leaves: [],
    action: 'approval.expired',
    params: ApprovalId,
    tools: [
      {
        name: 'wait_for_approval',
        group: 'money',
        description: 'Wait until a charge is approved or rejected. While status is pending, call again.',
        takes: ['id'],
        changes: true,
        awaits: { event: 'approval.resolved', id: 'id', eventId: 'approval_id', pending: ['pending'] },
      },
    ],
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

const by = ({ credential }: Principal): 'session' | 'api_key' => credential;
const reasonField = Type.Optional(text(1000, { description: 'A comment, kept with the approval.' }));

/** What the audit log says of a decision. */
function noteDecision(audit: AuditNote, approval: Approval): void {
  audit.resourceId = approval.id;
  audit.summary = `${approval.status === 'approved' ? 'Approved' : 'Rejected'} ${spendingOf(approval)}`;
  audit.change = changeOf(ApprovalView, { status: 'pending' }, approvalBody(approval));
}

const approve = (approvals: ApprovalRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/approve',
    operation: 'approveCharge',
    tag: 'Budget',
    summary: 'Approve a charge',
    description:
      'Records the charge, even over a cap. A pod that approves its own charge must still fit the limits of its platform.',
    auth: 'key',
    scope: 'money:approve',
    addresses: 'none',
    effect: 'write',
    leaves: ['pay'],
    action: 'approval.approved',
    params: ApprovalId,
    body: record({ reason: reasonField }),
    replies: { 200: ResolvedApproval },
    errors: [
      'not_found',
      'already_resolved',
      'delegation_ended',
      'expired',
      'operator_required',
      'pod_auth_forbidden',
      'budget_exceeded',
      'single_tx_limit_exceeded',
    ],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const decision = { approve: true, reason: body.reason ?? null, by: by(principal), now };
        const approval = await approvals.resolve(tx, principal, params.id, decision);
        noteDecision(audit, approval);
        return reply(200, resolvedBody(approval));
      }),
  });

const reject = (approvals: ApprovalRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/reject',
    operation: 'rejectCharge',
    tag: 'Budget',
    summary: 'Reject a charge',
    description: 'Nothing is recorded.',
    auth: 'key',
    scope: 'money:approve',
    addresses: 'none',
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'approval.rejected',
    params: ApprovalId,
    body: record({ reason: reasonField }),
    replies: { 200: ResolvedApproval },
    errors: ['not_found', 'already_resolved', 'expired', 'pod_auth_forbidden'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const decision = { approve: false, reason: body.reason ?? null, by: by(principal), now };
        const approval = await approvals.resolve(tx, principal, params.id, decision);
        noteDecision(audit, approval);
        return reply(200, resolvedBody(approval));
      }),
  });

const view = (database: Database) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/view',
    operation: 'viewApproval',
    tag: 'Budget',
    summary: 'Get the approval for an emailed link',
    description: 'Requires no key, only the token from the link. Nothing is decided, and the token stays valid.',
    auth: 'none',
    effect: 'none',
    params: ApprovalId,
    body: record({ token: linkTokenField }),
    replies: { 200: LinkedApproval },
    errors: ['invalid_token'],
    handle: async ({ params, body, now }) => {
      const given = { id: params.id, token: body.token, now };
      const { request: approval, needsPasskey } = await requireLinked(database, APPROVAL, given);
      const shown = approvalBody({ ...approval, status: statusAt(approval, now) });
      const { agent, caps } = await describeApproval(database, approval, now);
      return reply(200, { ...shown, agent, caps: capsBody(caps), passkey_required: needsPasskey });
    },
  });

const decide = (approvals: ApprovalRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/approvals/{id}/decide',
    operation: 'decideApproval',
    tag: 'Budget',
    summary: 'Approve or reject with the token from an emailed link',
    description:
      'Requires no key, only the token from the link that was emailed to the operator. A token decides once.',
    auth: 'none',
    effect: 'write',
    leaves: ['pay'],
    action: 'approval.decided',
    params: ApprovalId,
    body: record({ token: linkTokenField, decision: oneOf(['approve', 'reject']), reason: reasonField }),
    replies: { 200: ResolvedApproval },
    errors: ['invalid_token', 'already_resolved', 'delegation_ended', 'expired', 'passkey_required'],
    handle: async ({ params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const decision = {
          approve: body.decision === 'approve',
          reason: body.reason ?? null,
          by: 'mail_link' as const,
          now,
        };
        const { approval, person } = await approvals.resolveByToken(tx, params.id, body.token, decision);
        audit.actor = person;
        noteDecision(audit, approval);
        audit.accountId = approval.holderId;
        return reply(200, resolvedBody(approval));
      }),
  });

export const approvalRoutes = (approvals: ApprovalRules, database: Database): Endpoint[] => [
  listApprovals(approvals, database),
  getApproval(approvals, database),
  approve(approvals),
  reject(approvals),
  view(database),
  decide(approvals),
];
