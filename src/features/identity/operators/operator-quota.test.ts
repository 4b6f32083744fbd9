import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nextDay, onEngines } from '../../../../test/support/harness.ts';
import {
  actingFor,
  followLink,
  loginLinks,
  newPerson,
  plainSession,
  twoAgents,
} from '../../../../test/support/operators.ts';

const ME = '/v1/account/me';
const LIMITS = { free: { requests_per_day: 6 }, requests_per_person_per_day: 8 };

onEngines('any', 'M7: the quota of an operator', { limits: LIMITS }, (suite) => {
  it('an agent that spends its own leaves his alone, and his requests spend nothing of the agent’s', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const { agents, operator } = await twoAgents(t);
    for (let i = 0; i < 4; i++) assert.equal((await operator.get(ME, actingFor(agents[i % 2] as never))).status, 200);
    for (let i = 0; i < 6; i++) assert.equal((await agents[0].api.get(ME)).status, 200, `the agent’s request ${i}`);
    assert.equal((await agents[0].api.get(ME)).status, 429);
    const left = await operator.get(ME);
    assert.deepEqual([left.status, left.headers.get('ratelimit-remaining')], [200, '3']);
  });

  it('his own is one over all his sessions and agents: then 429, which names the limit, until the next day', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const { agents, email, operator } = await twoAgents(t);
    const other = t.api(await followLink(t, (await loginLinks(t, email))[0] as string));
    for (let i = 0; i < 4; i++) {
      assert.equal((await operator.get(ME, actingFor(agents[i % 2] as never))).status, 200);
      assert.equal((await other.get(ME)).status, 200);
    }
    for (const session of [operator, other]) {
      const { status, body } = await session.get(ME);
      const limit = { name: 'requests_per_person_per_day', used: 8, max: 8 };
      assert.deepEqual([status, body.error, body.limit ?? body.quota], [429, 'rate_limited', 8]);
      assert.deepEqual(body.quota, limit);
    }
    assert.equal((await agents[1].api.get(ME)).status, 200);
    const someone = await twoAgents(t);
    assert.equal((await someone.operator.get(ME)).status, 200, 'another person has another quota');
    nextDay(t.clock);
    const again = t.api(await followLink(t, (await loginLinks(t, email))[0] as string));
    assert.equal((await again.get(ME)).status, 200);
  });

  it('a session of an address that this service receives counts as its account', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const agent = await t.createAccount();
    const session = await plainSession(t, agent);
    assert.equal((await session.get(ME)).headers.get('ratelimit-limit'), '8');
    const inside = await t.createAccount();
    const { address } = (await inside.api.post('/v1/email/claim', { address: newPerson(t).split('@')[0] })).body;
    await inside.api.post('/v1/account/recovery-email', { email: address });
    const own = t.api(await followLink(t, (await loginLinks(t, address))[0] as string));
    assert.equal((await own.get(ME)).headers.get('ratelimit-limit'), '6');
  });
});
