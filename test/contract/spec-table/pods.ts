import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const POD = ['pod_id', 'name', 'status', 'created_at', 'parent_account_id', 'rate_limits', 'spending_caps'];
const SETTINGS = ['name', 'rate_limits', 'spending_caps'];

const STACK = ['id', 'domain', 'status', 'nameservers', 'next_steps'];

export const podsAndStacks: readonly SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/pods',
    auth: 'platform',
    body: SETTINGS,
    status: 201,
    reply: ['pod_id', 'api_key', 'name', 'status', 'created_at', 'rate_limits', 'spending_caps'],
    errors: [401, 403],
  },
  {
    method: 'GET',
    path: '/v1/pods',
    auth: 'key',
    status: 200,
    reply: ['pods', 'count', ...inside('pods[]', POD)],
    errors: [],
  },
  { method: 'GET', path: '/v1/pods/{pod_id}', auth: 'key', status: 200, reply: POD, errors: [404] },
  {
    method: 'PATCH',
    path: '/v1/pods/{pod_id}',
    auth: 'platform',
    body: SETTINGS,
    status: 200,
    reply: ['id', 'name', 'status', 'rate_limits', 'spending_caps', 'updated'],
    errors: [401, 403, 404],
  },
  // The table says `key`; only a platform key can change its pods (spec, Authentication 5).
  { method: 'DELETE', path: '/v1/pods/{pod_id}', auth: 'platform', status: 200, reply: POD, errors: [404] },
  {
    method: 'POST',
    path: '/v1/pods/{pod_id}/keys',
    auth: 'platform',
    status: 201,
    reply: ['api_key', 'pod_id', 'created_at'],
    errors: [404],
  },
  { method: 'POST', path: '/v1/stack', auth: 'key', body: ['domain!'], status: 201, reply: STACK, errors: [402] },
  { method: 'GET', path: '/v1/stack', auth: 'key', status: 200, reply: ['stacks', 'count', 'stacks[].id'], errors: [] },
];
