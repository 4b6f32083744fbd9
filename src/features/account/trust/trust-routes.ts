import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import { oneOf, record, sameAs, timestamp } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { TRUST_TIERS, trustProfile } from './trust-score.ts';

const dimension = (description: string) => Type.Integer({ minimum: 0, maximum: 250, description });

const getTrust = (database: Database, enabled: boolean) =>
  endpoint({
    method: 'GET',
    path: '/v1/trust/{agentId}',
    operation: 'getTrust',
    tag: 'Trust',
    summary: 'Get the trust profile of an agent',
    description:
      'Computed from counters at the time of the request. `score` is the sum of four dimensions of at most 250 each. ' +
      'The tier is `untrusted` below 250, `provisional` below 500, `trusted` below 750, and `verified` from 750.',
    auth: 'key',
    scope: 'trust:read',
    addresses: 'none',
    effect: 'none',
    params: record({
      agentId: Type.String({ pattern: '^acc_[0-9A-Za-z]{1,60}$', description: 'An account id.' }),
    }),
    replies: {
      200: record({
        agent_id: Type.String(),
        agentId: sameAs('agent_id'),
        score: Type.Integer({ minimum: 0, maximum: 1000 }),
        tier: oneOf(TRUST_TIERS),
        breakdown: record({
          behavioral: dimension('25 per observation, for up to 10.'),
          consistency: dimension('round(250 · 2^(−age / 7 days)), with the age of the latest observation.'),
          reputation: dimension('50 per distinct topic, for up to 5.'),
          transparency: dimension('round(250 · shared / all observations).'),
        }),
        computed_at: timestamp(),
        computedAt: sameAs('computed_at', timestamp()),
        observation_count: Type.Integer(),
        observationCount: sameAs('observation_count', Type.Integer()),
        evidence: record({
          self: Type.Integer({ description: 'Observations by the agent itself.' }),
          peer: Type.Integer({
            description: 'Telemetry of other accounts about this agent. It does not change the score.',
          }),
        }),
      }),
    },
    errors: ['invalid_agent_id', 'not_found', 'audit_unavailable'],
    codes: { '/path/agentId': 'invalid_agent_id' },
    handle: async ({ params, now }) => {
      if (!enabled) throw new ApiError('audit_unavailable');
      const profile = await trustProfile(database, params.agentId, now);
      if (!profile) throw new ApiError('not_found', { message: 'There is no such agent.' });
      const { score, tier, breakdown, observationCount, evidence } = profile;
      return reply(200, {
        agent_id: params.agentId,
        agentId: params.agentId,
        score,
        tier,
        breakdown,
        computed_at: iso(now),
        computedAt: iso(now),
        observation_count: observationCount,
        observationCount,
        evidence,
      });
    },
  });

export const trustRoutes = (database: Database, enabled: boolean): Endpoint[] => [getTrust(database, enabled)];
