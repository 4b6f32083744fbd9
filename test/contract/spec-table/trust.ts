import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const OBSERVATION = ['id', 'agent_id', 'display_name', 'topic', 'content', 'shared', 'created_at'];

/** Observations, trust and telemetry. */
export const trust: readonly SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/observations',
    auth: 'key',
    body: ['topic!', 'content!', 'shared', 'display_name'],
    status: 201,
    reply: OBSERVATION,
    errors: [400],
  },
  {
    method: 'GET',
    path: '/v1/observations',
    auth: 'key',
    query: ['topic', 'agent_id', 'since', 'scope', 'limit'],
    limit: [50, 200],
    status: 200,
    reply: ['observations', 'count', 'filters', ...inside('observations[]', OBSERVATION)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/observations/topics',
    auth: 'key',
    status: 200,
    reply: ['topics', 'count', ...inside('topics[]', ['topic', 'count', 'latest'])],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/trust/{agentId}',
    auth: 'key',
    status: 200,
    reply: [
      'agentId',
      'score',
      'tier',
      'breakdown',
      'computedAt',
      'observationCount',
      ...inside('breakdown', ['behavioral', 'consistency', 'reputation', 'transparency']),
    ],
    errors: ['invalid_agent_id', 'audit_unavailable'],
  },
  {
    method: 'POST',
    path: '/v1/telemetry/submit',
    auth: 'key',
    body: ['event!', 'agent_id!', 'timestamp!', 'action_type!', 'outcome!', 'axiom_hash', 'context_ref'],
    status: 201,
    reply: ['accepted', 'count', 'agent_token', 'observations'],
    errors: [400],
  },
];
