import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, mailsTo, openSession, type TestAgent } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { readableMail } from '../../../../test/support/readable-mail.ts';
import type { JobAttempt } from '../../../api/job-types.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const SETTINGS = '/v1/operator/settings';

interface Told {
  agent: TestAgent;
  email: string;
  operator: Api;
}

async function told(t: TestApp, mails?: string): Promise<Told> {
  const agent = await createAgent(t, {}, await t.createAccount({ name: 'spender' }));
  const email = newPerson(t);
  await confirmOperator(t, agent, email);
  const operator = await openSession(t, email);
  if (mails !== undefined) {
    const set = await operator.patch(SETTINGS, { mails });
    assert.deepEqual([set.status, set.body.mails], [200, mails], set.text);
  }
  return { agent, email, operator };
}

/** Uses up a cap, which is news. */
async function useUp({ agent: { api } }: Told, cap: number): Promise<void> {
  await api.put('/v1/budget', { daily: cap, on_limit: 'approve' });
  assert.equal((await api.post('/v1/charge', { amount: 1 })).status, 200);
}

const newsTo = async (t: TestApp, email: string): Promise<string[]> =>
  (await mailsTo(t, email)).map(readableMail).filter((mail) => /Subject: (A spending cap|News of)/.test(mail));
const piecesIn = (mails: readonly string[]): number => mails.join('\n').split('has used up its daily cap').length - 1;

onEngines('both', 'news by mail that waits', {}, (suite) => {
  it('hourly and daily: waits, then comes together, each piece in exactly one mail', async () => {
    const { t } = suite;
    const [hourly, daily] = [await told(t, 'hourly'), await told(t, 'daily')];
    for (const cap of [1, 2, 3]) for (const one of [hourly, daily]) await useUp(one, cap);
    assert.deepEqual([...(await newsTo(t, hourly.email)), ...(await newsTo(t, daily.email))], []);
    t.clock.advance(HOUR_MS + 1000);
    const first = await newsTo(t, hourly.email);
    assert.deepEqual([first.length, piecesIn(first)], [1, 3]);
    assert.deepEqual(await newsTo(t, daily.email), []);
    await useUp(hourly, 4);
    // The news is kept when its job has run.
    await t.outboxMails();
    t.clock.advance(DAY_MS);
    const second = await newsTo(t, hourly.email);
    assert.deepEqual([second.length, piecesIn(second)], [2, 4]);
    const whole = await newsTo(t, daily.email);
    assert.deepEqual([whole.length, piecesIn(whole)], [1, 3]);
    assert.deepEqual(await t.sql('select id from bundled_news where email in (?, ?)', hourly.email, daily.email), []);
  });

  it('a mail that is made again after a crash is the same, and what came meanwhile is in the next; two makers share nothing', async () => {
    const { t } = suite;
    const one = await told(t, 'hourly');
    for (const cap of [1, 2]) await useUp(one, cap);
    await newsTo(t, one.email);
    const { news } = t.app.provided;
    const attempt = (id: string, count = 1): JobAttempt<'mail.bundle'> => ({
      id,
      kind: 'mail.bundle',
      payload: { email: one.email },
      attempt: count,
      now: t.clock.now(),
      signal: new AbortController().signal,
    });
    await t.sql('update bundled_news set due_at = 0 where email = ?', one.email);
    // Both are sent and neither is done: as if both processes were killed right then.
    await Promise.all(['job_a', 'job_b'].map((id) => news.mailBundle(attempt(id))));
    const bundles = await t.sql('select distinct bundle from bundled_news where email = ?', one.email);
    assert.equal(bundles.length, 1, 'one of them got all');
    const id = String(bundles[0]?.bundle);
    await useUp(one, 3);
    await t.outboxMails();
    const outcome = await news.mailBundle(attempt(id, 2));
    await t.app.database.transaction(async (tx) => {
      if (outcome.status === 'done') await outcome.complete?.(tx);
    });
    const idsOf = (mails: readonly string[]) => new Set(mails.map((text) => /Message-ID: (\S+)/i.exec(text)?.[1]));
    const raw = (await mailsTo(t, one.email)).filter((text) => /Subject: News of/.test(text));
    assert.equal(idsOf(raw).size, 1, 'the same Message-ID, by which a server knows the repeat');
    for (const text of raw) assert.equal(piecesIn([readableMail(text)]), 2);
    t.clock.advance(HOUR_MS + 1000);
    const next = (await mailsTo(t, one.email)).filter((text) => /Subject: News of/.test(text) && !raw.includes(text));
    assert.deepEqual([next.length, piecesIn(next.map(readableMail))], [1, 1]);
  });
});

onEngines('any', 'news by mail', {}, (suite) => {
  it('comes at once by default, each in a mail of its own, and names the agent below our own words', async () => {
    const { t } = suite;
    const one = await told(t);
    assert.equal((await one.operator.get(SETTINGS)).body.mails, 'now');
    await useUp(one, 1);
    await useUp(one, 2);
    const mails = await newsTo(t, one.email);
    assert.deepEqual([mails.length, piecesIn(mails)], [2, 2]);
    assert.ok(mails[0]?.includes(`Account ${one.agent.accountId} has used up its daily cap`));
    assert.ok(mails[0]?.includes('The agent calls itself: "spender"'));
  });

  it('decisions: no news, not even what waited; a change to now sends what waits at once', async () => {
    const { t } = suite;
    const [never, soon] = [await told(t, 'hourly'), await told(t, 'daily')];
    for (const one of [never, soon]) await useUp(one, 1);
    assert.equal((await newsTo(t, soon.email)).length, 0);
    await never.operator.patch(SETTINGS, { mails: 'decisions' });
    await soon.operator.patch(SETTINGS, { mails: 'now' });
    assert.equal(piecesIn(await newsTo(t, soon.email)), 1);
    await useUp(never, 2);
    t.clock.advance(2 * DAY_MS);
    assert.deepEqual(await newsTo(t, never.email), []);
    assert.equal((await newsTo(t, soon.email)).length, 1);
  });

  it('whatever is chosen: logins, confirmations, security notices and what must be decided in time come at once', async () => {
    const { t } = suite;
    for (const mails of ['daily', 'decisions']) {
      const { agent, email, operator } = await told(t, mails);
      const before = new Set(await mailsTo(t, email));
      await agent.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
      assert.equal((await agent.api.post('/v1/charge', { amount: 2 })).status, 202);
      await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
      const mail = { from: agent.address, to: 'x@example.net', subject: 'Offer', text: 'Dear X' };
      assert.equal((await agent.api.post('/v1/email/send', mail)).status, 202);
      await (await t.createAccount()).api.post('/v1/account/operator-email', { email });
      await t.api().post('/v1/auth/login', { email });
      await confirmOperator(t, agent, newPerson(t));
      const came = (await mailsTo(t, email)).filter((text) => !before.has(text));
      const subjects = came.map((text) => /Subject: (.*)/.exec(text)?.[1]?.trim());
      for (const wanted of [/^Approve /, /^Let this email/, /^Are you the operator/, /login link/, /operator/])
        assert.ok(
          subjects.some((subject) => wanted.test(subject ?? '')),
          `${mails}: ${wanted} of ${subjects}`,
        );
    }
  });

  it('400 and 403: an unknown choice, nothing at all, and a key', async () => {
    const { operator, agent } = await told(suite.t);
    for (const body of [{ mails: 'weekly' }, {}, { mails: null }])
      assert.equal((await operator.patch(SETTINGS, body)).status, 400, JSON.stringify(body));
    assert.equal((await agent.api.patch(SETTINGS, { mails: 'daily' })).status, 403);
  });
});

onEngines('any', 'more news than single mails', { limits: { news_mails_per_email_per_hour: 1 } }, (suite) => {
  it('is told in one more mail, an hour later', async () => {
    const { t } = suite;
    const one = await told(t);
    for (const cap of [1, 2, 3]) await useUp(one, cap);
    assert.equal((await newsTo(t, one.email)).length, 1);
    t.clock.advance(HOUR_MS + 1000);
    const mails = await newsTo(t, one.email);
    assert.deepEqual([mails.length, piecesIn(mails)], [2, 3]);
  });
});
