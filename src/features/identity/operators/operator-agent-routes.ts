import { AUTHORITIES } from '../../../api/authority.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { money, moneyFields } from '../../../api/money-fields.ts';
import { iso } from '../../../base/clock.ts';
import { utcDay } from '../../../base/period.ts';
import { Type } from '../../../base/schema.ts';
import type { Account } from '../../account/accounts/account-table.ts';
import { PERSON_ROLES } from '../../account/people/person-table.ts';
import { CapStates, capsBody } from '../../money/budget-schema.ts';
import { listAgents, listWaiting, type OperatorDeps, USAGE_DAYS } from './operated-agents.ts';
import { resumeAccount, suspendAccount } from './suspension.ts';

const TAG = 'Operators';

const statusFields = {
  status: oneOf(['active', 'suspended']),
  suspended_by: Type.Array(oneOf(['operator', 'administrator']), {
    description: 'Who has to resume it. An operator resumes what operators suspended.',
  }),
};

const statusOf = ({ status, suspendedBy }: Account) => {
  const by = [
    ...(suspendedBy === null ? [] : ['operator' as const]),
    ...(status === 'active' ? [] : ['administrator' as const]),
  ];
  return { status: by.length === 0 ? ('active' as const) : ('suspended' as const), suspended_by: by };
};

const AgentEntry = record({
  account_id: Type.String(),
  name: nullable(Type.String({ description: 'The agent chose it.' })),
  parent_account_id: nullable(Type.String(), { description: 'The platform of a pod.' }),
  ...statusFields,
  authority: oneOf(AUTHORITIES),
  ...moneyFields({ spent_today_usdc: Type.Integer({ description: 'Atomic USDC.' }) }),
  open_approvals: Type.Integer(),
  open_reviews: Type.Integer({ description: 'Mails that wait for a review.' }),
  open_items: Type.Integer({ description: 'What else waits for a person: the next three together.' }),
  open_quarantined: Type.Integer({ description: 'Quarantined mails.' }),
  open_credential_requests: Type.Integer(),
  open_notices: Type.Integer({ description: 'Announced removals.' }),
  caps: CapStates,
  last_active_day: nullable(Type.String(), {
    description: `The latest of the last ${USAGE_DAYS} UTC days with a request of its own. Null for a pod: its platform counts them.`,
  }),
  active_today: Type.Boolean({ description: 'Whether that is this UTC day.' }),
  emails_today: nullable(Type.Integer(), { description: 'Emails of this UTC day. Null for a pod.' }),
  addresses: Type.Array(Type.String()),
});

const WaitingEntry = record({
  id: Type.String(),
  account_id: Type.String(),
  name: nullable(Type.String({ description: 'The agent chose it.' })),
  role: oneOf(PERSON_ROLES),
  named_at: timestamp(),
  removable_days: Type.Integer({ description: 'So many days its key can remove you at once.' }),
});

const listOperatorAgents = (deps: OperatorDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/operator/agents',
    operation: 'listOperatorAgents',
    tag: TAG,
    summary: 'List your agents',
    description:
      'Lists the accounts that the address of the session is a confirmed operator of, and what waits for its confirmation. Name one of them in the header `Signet-Account` to act for it.',
    auth: 'person',
    scope: 'account:read',
    wholeAccount: true,
    effect: 'none',
    bucket: 'inspect',
    query: record({ limit: limitParam(20, 50), cursor: cursorParam() }),
    replies: {
      200: record({
        agents: Type.Array(AgentEntry),
        waiting: Type.Array(WaitingEntry, { description: 'At most 100: the oldest and the newest.' }),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const page = await listAgents(deps, principal, { cursor: query.cursor, limit: query.limit as number }, now);
      const entries = page.rows.map((agent) => ({
        account_id: agent.account.id,
        name: agent.account.name,
        parent_account_id: agent.account.parentId,
        ...statusOf(agent.account),
        authority: agent.authority,
        ...money({ spent_today_usdc: agent.spentToday }),
        open_approvals: agent.openApprovals,
        open_reviews: agent.openReviews,
        open_items: Object.values(agent.openItems).reduce((sum, count) => sum + count, 0),
        open_quarantined: agent.openItems.quarantined_mail,
        open_credential_requests: agent.openItems.credential_request,
        open_notices: agent.openItems.removal,
        caps: capsBody(agent.caps, agent.room),
        last_active_day: agent.activity?.lastDay ?? null,
        active_today: agent.activity?.lastDay === utcDay(now),
        emails_today: agent.activity?.emailsToday ?? null,
        addresses: agent.addresses,
      }));
      const roles = (await listWaiting(deps.database, principal, now)).map((waiting) => ({
        id: waiting.id,
        account_id: waiting.accountId,
        name: waiting.name,
        role: waiting.role,
        named_at: iso(waiting.namedAt),
        removable_days: waiting.removableDays,
      }));
      return reply(200, { agents: entries, waiting: roles, next_cursor: page.nextCursor });
    },
  });

const AgentParams = record({ id: text(64, { description: 'The `account_id`.' }) });
const StatusReply = record({ account_id: Type.String(), ...statusFields });

const suspendAgent = (deps: OperatorDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/operator/agents/{id}/suspend',
    operation: 'suspendAgent',
    tag: TAG,
    summary: 'Suspend an agent',
    description:
      'Its keys and tokens stop working and mail to it is refused, at once on every instance. Calls that take access away, such as rotating a key, still work. Nothing is deleted.',
    auth: 'person',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'account.suspended',
    params: AgentParams,
    replies: { 200: StatusReply },
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        const account = await suspendAccount(tx, deps, principal, params.id, now);
        audit.accountId = account.id;
        audit.resourceId = account.id;
        return reply(200, { account_id: account.id, ...statusOf(account) });
      }),
  });

const resumeAgent = (deps: OperatorDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/operator/agents/{id}/resume',
    operation: 'resumeAgent',
    tag: TAG,
    summary: 'Resume an agent',
    description: 'Ends the suspension by its operators. It stays `suspended` while the administrator suspends it.',
    auth: 'person',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'account.resumed',
    params: AgentParams,
    replies: { 200: StatusReply },
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        const account = await resumeAccount(tx, deps, principal, params.id, now);
        audit.accountId = account.id;
        audit.resourceId = account.id;
        return reply(200, { account_id: account.id, ...statusOf(account) });
      }),
  });

export const operatorAgentRoutes = (deps: OperatorDeps): Endpoint[] => [
  listOperatorAgents(deps),
  suspendAgent(deps),
  resumeAgent(deps),
];
