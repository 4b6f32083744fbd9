import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const PERIODS = ['daily', 'weekly', 'monthly'];
const CAP_STATE = ['limit_usdc', 'spent_usdc', 'remaining_usdc', 'resets_at'];
const CAP_STATES = PERIODS.flatMap((period) => inside(`caps.${period}`, CAP_STATE));
const SETTINGS = inside('settings', ['on_limit', 'single_tx_limit_cents']);
const APPROVAL = [
  'id',
  'account_id',
  'amount_usdc',
  'category',
  'description',
  'reference_id',
  'status',
  'created_at',
  'resolved_at',
  'resolved_by',
  'expires_at',
  'metadata',
];
const ENTRY = ['id', 'timestamp', 'amount_usdc', 'category', 'description', 'reference_id'];
const RESOLVED = [
  'ok',
  'id',
  'approval_id',
  'status',
  'amount_usdc',
  'category',
  'description',
  'reason',
  'resolved_at',
  'resolved_by',
];

/** Budget, charges and approvals. */
export const budgets: SpecEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/budget',
    auth: 'key',
    status: 200,
    reply: ['agent_id', 'currency', 'atomic_unit', ...CAP_STATES, 'has_caps', 'status', ...SETTINGS, 'note'],
    errors: [401],
  },
  {
    method: 'PUT',
    path: '/v1/budget',
    auth: 'key',
    body: ['caps', ...PERIODS, 'on_limit', 'single_tx_limit_cents'],
    status: 200,
    reply: ['ok', 'agent_id', ...CAP_STATES, ...SETTINGS],
    errors: [400, 401],
  },
  {
    method: 'GET',
    path: '/v1/budget/history',
    auth: 'key',
    query: ['limit', 'before'],
    limit: [50, 200],
    status: 200,
    reply: [
      'agent_id',
      'currency',
      'atomic_unit',
      ...inside('entries[]', ENTRY),
      ...inside('summary', ['count', 'total_usdc', 'by_category']),
      ...inside('pagination', ['limit', 'has_more', 'next_before']),
      'note',
    ],
    errors: [401],
  },
  {
    method: 'POST',
    path: '/v1/charge',
    auth: 'key',
    body: ['amount!', 'category', 'description', 'reference_id', 'metadata'],
    status: 200,
    reply: ['status', 'charge_id', 'amount_usdc', 'category', 'description', 'reference_id', 'remaining', 'message'],
    errors: [401, 402],
  },
  {
    method: 'POST',
    path: '/v1/charge',
    auth: 'key',
    status: 202,
    reply: ['status', 'approval_id', 'reason', 'amount_usdc', 'expires_at', 'check_url', 'message'],
    errors: [401, 'budget_exceeded', 'single_tx_limit_exceeded'],
  },
  {
    method: 'GET',
    path: '/v1/approvals',
    auth: 'key',
    query: ['status', 'limit'],
    limit: [50, 200],
    status: 200,
    reply: ['agent_id', 'status_filter', ...inside('approvals[]', APPROVAL), 'count'],
    errors: [401],
  },
  {
    method: 'GET',
    path: '/v1/approvals/{id}',
    auth: 'key',
    status: 200,
    reply: APPROVAL,
    errors: [401, 'not_found'],
  },
  {
    method: 'POST',
    path: '/v1/approvals/{id}/approve',
    auth: 'key',
    status: 200,
    reply: RESOLVED,
    errors: ['not_found', 'already_resolved', 'expired'],
  },
  {
    method: 'POST',
    path: '/v1/approvals/{id}/reject',
    auth: 'key',
    body: ['reason'],
    status: 200,
    reply: RESOLVED,
    errors: ['not_found', 'already_resolved', 'expired'],
  },
];
