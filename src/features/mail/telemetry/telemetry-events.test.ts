import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TELEMETRY } from '../../../../test/contract/samples/trust.ts';
import { onEngines } from '../../../../test/support/harness.ts';

onEngines('any', 'POST /v1/telemetry/submit', {}, (suite) => {
  it('201: a single event becomes a shared observation of the caller, whichever agent it names', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const event = { ...TELEMETRY, agent_id: 'somebody else', axiom_hash: 'Ab'.repeat(32), context_ref: 'run 7' };
    const { status, body } = await api.post('/v1/telemetry/submit', event);
    assert.equal(status, 201);
    const { observation_id: id } = body;
    const ingested = new Date(t.clock.now()).toISOString();
    assert.deepEqual(body, {
      accepted: true,
      count: 1,
      account_id: accountId,
      agent_token: accountId,
      observations: [{ observation_id: id, event: 'tool.finished', ingested_at: ingested }],
      observation_id: id,
      ingested_at: ingested,
    });
    const stored = (await (await t.createAccount()).api.get(`/v1/observations/${id}`)).body;
    assert.equal(stored.agent_id, accountId);
    assert.equal(stored.topic, 'telemetry.tool.finished');
    assert.equal(stored.shared, true);
    assert.deepEqual(JSON.parse(stored.content), event);
  });

  it('a batch of 100 events is stored; 101 events, an empty batch or one invalid event store nothing and name the fault', async () => {
    const { api, accountId } = await suite.t.createAccount();
    const batch = Array.from({ length: 100 }, () => ({ ...TELEMETRY, event: 'batch.step' }));
    for (const [wrong, path] of [
      [[...batch, TELEMETRY], '/body'],
      [[], '/body'],
      [[TELEMETRY, { ...TELEMETRY, outcome: 'fine' }], '/body/1/outcome'],
      [[TELEMETRY, [TELEMETRY]], '/body/1'],
      [{ ...TELEMETRY, action_type: 'dance' }, '/body/action_type'],
      [{ ...TELEMETRY, timestamp: 'now' }, '/body/timestamp'],
      [{ ...TELEMETRY, axiom_hash: 'abc' }, '/body/axiom_hash'],
      [{ ...TELEMETRY, event: 'a b' }, '/body/event'],
    ] as const) {
      const refused = await api.post('/v1/telemetry/submit', wrong);
      assert.equal(refused.status, 400);
      assert.equal(refused.body.details[0].path, path);
    }
    assert.equal((await api.get(`/v1/trust/${accountId}`)).body.observationCount, 0);
    const taken = await api.post('/v1/telemetry/submit', batch);
    assert.equal(taken.status, 201);
    assert.equal(taken.body.count, 100);
    assert.equal('observation_id' in taken.body, false);
    assert.equal((await api.get(`/v1/trust/${accountId}`)).body.observationCount, 100);
    const topics = (await api.get('/v1/observations/topics')).body.topics as { topic: string; count: number }[];
    assert.equal(topics.find(({ topic }) => topic === 'telemetry.batch.step')?.count, 100);
  });

  it('events about another agent count as its peer evidence and do not change its score', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const bob = await t.createAccount();
    const about = { ...TELEMETRY, agent_id: bob.accountId, outcome: 'failure' };
    await ada.api.post('/v1/telemetry/submit', [about, about, { ...about, agent_id: ada.accountId }]);
    const { evidence, score } = (await ada.api.get(`/v1/trust/${bob.accountId}`)).body;
    assert.deepEqual(evidence, { self: 0, peer: 2 });
    assert.equal(score, 0);
    assert.deepEqual((await ada.api.get(`/v1/trust/${ada.accountId}`)).body.evidence, { self: 3, peer: 0 });
  });
});

onEngines('both', 'POST /v1/telemetry/submit', {}, (suite) => {
  it('two agents that repeatedly report on each other in parallel both succeed every time', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const bob = await t.createAccount();
    const calls = Array.from({ length: 40 }, (_, i) => {
      const [from, to] = i % 2 ? [ada, bob] : [bob, ada];
      return from.api.post('/v1/telemetry/submit', { ...TELEMETRY, agent_id: to.accountId, event: `e${i % 3}` });
    });
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([201]));
    const profile = (await ada.api.get(`/v1/trust/${ada.accountId}`)).body;
    assert.deepEqual(profile.evidence, { self: 20, peer: 20 });
    assert.equal(profile.breakdown.reputation, 150);
  });
});
