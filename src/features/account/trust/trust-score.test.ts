import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onEngines, startTestApp } from '../../../../test/support/harness.ts';
import { DAY_MS } from '../../../base/period.ts';
import { scoreOf, tierOf } from './trust-score.ts';

describe('the trust score', () => {
  const at = (observations: number, shared: number, topics: number, ageDays = 0) =>
    scoreOf({ observations, shared, topics, latestAt: 1_000 * DAY_MS }, (1_000 + ageDays) * DAY_MS);

  it('behavioral is 25 per observation, for up to 10', () => {
    for (const [observations, points] of [
      [0, 0],
      [1, 25],
      [9, 225],
      [10, 250],
      [11, 250],
      [1_000_000, 250],
    ] as const)
      assert.equal(at(observations, 0, 0).breakdown.behavioral, points);
  });

  it('reputation is 50 per topic, for up to 5', () => {
    for (const [topics, points] of [
      [0, 0],
      [1, 50],
      [5, 250],
      [6, 250],
    ] as const)
      assert.equal(at(10, 0, topics).breakdown.reputation, points);
  });

  it('consistency halves every 7 days and never exceeds 250, even when clocks disagree', () => {
    for (const [days, points] of [
      [0, 250],
      [7, 125],
      [14, 63],
      [70, 0],
      [-1, 250],
    ] as const)
      assert.equal(at(1, 0, 1, days).breakdown.consistency, points);
  });

  it('transparency is the rounded share of shared observations; every dimension is 0 without observations', () => {
    for (const [shared, all, points] of [
      [0, 3, 0],
      [1, 3, 83],
      [2, 3, 167],
      [3, 3, 250],
    ] as const)
      assert.equal(at(all, shared, 1).breakdown.transparency, points);
    assert.deepEqual(at(0, 0, 0), {
      score: 0,
      tier: 'untrusted',
      breakdown: { behavioral: 0, consistency: 0, reputation: 0, transparency: 0 },
    });
  });

  it('the upper tiers begin at 250, 500 and 750', () => {
    const edges = [0, 249, 250, 499, 500, 749, 750, 1000];
    assert.deepEqual(edges.map(tierOf), [
      'untrusted',
      'untrusted',
      'provisional',
      'provisional',
      'trusted',
      'trusted',
      'verified',
      'verified',
    ]);
  });
});

onEngines('any', 'GET /v1/trust/{agentId}', {}, (suite) => {
  it('200: any agent can read any agent’s profile, and it follows from that agent’s observations', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const reader = (await t.createAccount()).api;
    const record = (topic: string, shared: boolean) => api.post('/v1/observations', { topic, content: 'x', shared });
    for (let i = 0; i < 6; i++) assert.equal((await record(`topic ${i % 4}`, i < 3)).status, 201);
    t.clock.advance(7 * DAY_MS);
    const { status, body } = await reader.get(`/v1/trust/${accountId}`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      agent_id: accountId,
      agentId: accountId,
      score: 150 + 125 + 200 + 125,
      tier: 'trusted',
      breakdown: { behavioral: 150, consistency: 125, reputation: 200, transparency: 125 },
      computed_at: new Date(t.clock.now()).toISOString(),
      computedAt: new Date(t.clock.now()).toISOString(),
      observation_count: 6,
      observationCount: 6,
      evidence: { self: 6, peer: 0 },
    });
  });

  it('400 invalid_agent_id for an invalid id, 404 for an unknown agent', async () => {
    const { api } = await suite.t.createAccount();
    for (const id of ['ada', 'acc_', 'acc_a-b', 'ACC_a', 'acc_a%0A'])
      assert.equal((await api.get(`/v1/trust/${id}`)).body.error, 'invalid_agent_id');
    assert.equal((await api.get('/v1/trust/acc_nobody')).status, 404);
  });
});

onEngines('both', 'GET /v1/trust/{agentId}', {}, (suite) => {
  it('64 parallel observations on 8 topics: each observation counts, and each topic counts once', async () => {
    const { api, accountId } = await suite.t.createAccount();
    const calls = Array.from({ length: 64 }, (_, i) =>
      api.post('/v1/observations', { topic: `race ${i % 4}`, content: 'x', shared: true }),
    );
    assert.ok((await Promise.all(calls)).every(({ status }) => status === 201));
    const { observationCount, breakdown } = (await api.get(`/v1/trust/${accountId}`)).body;
    assert.equal(observationCount, 64);
    assert.equal(breakdown.reputation, 200);
    const topics = (await api.get('/v1/observations/topics')).body.topics as { topic: string; count: number }[];
    assert.deepEqual(
      topics.filter(({ topic }) => topic.startsWith('race')).map(({ count }) => count),
      [16, 16, 16, 16],
    );
  });
});

it('TRUST=off: 503 audit_unavailable, while observations are still recorded', async () => {
  const t = await startTestApp('sqlite', { env: { TRUST: 'off' } });
  try {
    const { api, accountId } = await t.createAccount();
    const refused = await api.get(`/v1/trust/${accountId}`);
    assert.equal(refused.status, 503);
    assert.equal(refused.body.error, 'audit_unavailable');
    assert.equal((await api.post('/v1/observations', { topic: 'a', content: 'b' })).status, 201);
  } finally {
    await t.stop();
  }
});
