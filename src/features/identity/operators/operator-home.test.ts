import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { itInAll } from '../../../../test/support/full-run.ts';
import {
  type Api,
  nextDay,
  onEngines,
  startTestApp,
  type TestAccount,
  type TestApp,
} from '../../../../test/support/harness.ts';
import { actingFor, manyAgents } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';

const AGENTS = '/v1/operator/agents?limit=50';
const NOTICES = '/v1/account/notices';
const LIMITS = { requests_per_person_per_day: 10_000, inspections_per_hour: 120, revocations_per_hour: 60 };
const LOADS = 100;

interface Row {
  account_id: string;
  open_notices: number;
  open_approvals: number;
}

onEngines('both', 'D: what a row says of an agent', {}, (suite) => {
  it('D: its caps, its last day, its emails of today, and what waits by kind', async () => {
    const { t } = suite;
    const { agents, token } = await manyAgents(t, 2);
    const [busy, idle] = agents as [TestAccount, TestAccount];
    const { address } = (await busy.api.post('/v1/inbox', {})).body;
    await busy.api.put('/v1/budget', { caps: { daily: 5, monthly: 50 } });
    await busy.api.post('/v1/charge', { amount: 2 });
    await busy.api.post('/v1/email/send', { from: address, to: address, subject: 'Hi', text: 'Me.' });
    await busy.api.delete('/v1/auth/keys/backup');
    await busy.api.post('/v1/credentials/request', { description: 'A card' });
    const rows = (await t.api(token).get(AGENTS)).body.agents;
    const of = ({ accountId }: TestAccount) => rows.find((row: Row) => row.account_id === accountId);
    const waits = (row: Record<string, unknown>) => [
      row.open_items,
      row.open_quarantined,
      row.open_credential_requests,
      row.open_notices,
    ];
    assert.deepEqual(
      [waits(of(busy)), waits(of(idle))],
      [
        [2, 0, 1, 1],
        [0, 0, 0, 0],
      ],
    );
    assert.deepEqual(of(busy).caps, (await busy.api.get('/v1/budget')).body.caps);
    const today = new Date(t.clock.now()).toISOString().slice(0, 10);
    const seen = (row: Record<string, unknown>) => [row.last_active_day, row.active_today, row.emails_today];
    assert.deepEqual(
      [seen(of(busy)), seen(of(idle))],
      [
        [today, true, 1],
        [null, false, 0],
      ],
    );
    await t.app.provided.meter.flush();
    nextDay(t.clock);
    const later = (await t.api(token).get(AGENTS)).body.agents;
    assert.deepEqual(seen(later.find((row: Row) => row.account_id === busy.accountId)), [today, false, 0]);
  });

  it('D: a pod has the room that its platform leaves it, and no activity of its own', async () => {
    const { t } = suite;
    const { agents, token } = await manyAgents(t, 2);
    const [platform, other] = agents as [TestAccount, TestAccount];
    const pod = await makePod(t, platform);
    await platform.api.put('/v1/budget', { caps: { daily: 3 } });
    await pod.api.put('/v1/budget', { caps: { daily: 10 } });
    // Only the administrator gives a pod an operator, after three days.
    await t.sql('update people set account_id = ? where account_id = ?', pod.accountId, other.accountId);
    const rows = (await t.api(token).get(AGENTS)).body.agents;
    const row = rows.find((one: Row) => one.account_id === pod.accountId);
    assert.deepEqual([row.last_active_day, row.active_today, row.emails_today], [null, false, null]);
    assert.equal(row.caps.daily.remaining_usdc, 3);
    assert.deepEqual(row.caps, (await pod.api.get('/v1/budget')).body.caps);
  });
});

/** What is counted is the same on both engines. */
describe('D: an operator with 50 agents', () => {
  let t: TestApp;
  let agents: TestAccount[];
  let operator: Api;
  before(async () => {
    t = await startTestApp('sqlite', { limits: LIMITS });
    const made = await manyAgents(t, 50);
    agents = made.agents;
    operator = t.api(made.token);
    for (const { api } of agents.slice(0, 10)) {
      assert.equal((await api.delete('/v1/auth/keys/backup')).body.status, 'scheduled');
      await api.put('/v1/budget', { caps: { daily: 5 }, on_limit: 'approve' });
      assert.equal((await api.post('/v1/charge', { amount: 10 })).status, 202);
    }
  });
  after(() => t?.stop());

  /** The calls that the home makes, as the console does. */
  async function openHome(): Promise<void> {
    const ask = async (path: string, headers?: Record<string, string>) => {
      const reply = await operator.get(path, headers);
      assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      return reply.body;
    };
    await ask('/v1/account/me');
    await ask(AGENTS);
    const rows: Row[] = (await ask(AGENTS)).agents;
    assert.equal(rows.length, 50);
    for (const { account_id: accountId, open_notices: notices, open_approvals: approvals } of rows) {
      if (notices > 0) await ask(NOTICES, actingFor({ accountId }));
      if (approvals > 0) await ask('/v1/approvals', actingFor({ accountId }));
    }
  }

  const used = (): Promise<number[]> =>
    Promise.all(agents.map(({ accountId }) => t.app.provided.meter.used(accountId, t.clock.now())));

  it('D: opens the home, and spends no request of any agent', async () => {
    const before = await used();
    await openHome();
    assert.deepEqual(await used(), before);
    assert.ok(before.some((count) => count > 0));
  });

  itInAll('D: opens it 100 times in an hour: no call is refused, and none is an agent’s', async () => {
    const before = await used();
    for (let load = 0; load < LOADS; load++) await openHome();
    assert.deepEqual(await used(), before);
  });

  it('D: the rows say which agents have announced removals, and which have none', async () => {
    const rows: Row[] = (await operator.get(AGENTS)).body.agents;
    for (const { account_id: id, open_notices: open } of rows)
      assert.equal(open, agents.slice(0, 10).some(({ accountId }) => accountId === id) ? 1 : 0);
  });

  it('D: reading the announced removals of each agent again and again uses up no call that stops one', async () => {
    for (let round = 0; round < 4; round++)
      for (const agent of agents) assert.equal((await operator.get(NOTICES, actingFor(agent))).status, 200);
    const { status, headers } = await operator.delete('/v1/account/sessions/ses_none');
    assert.deepEqual([status, headers.get('ratelimit-remaining')], [404, '59']);
  });
});
