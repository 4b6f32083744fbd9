import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { HOUR_MS } from '../../src/base/period.ts';
import { onEngines } from '../support/harness.ts';
import { startStallingRelay } from '../support/stalling-relay.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';
import { printRow, sizeOf } from './size.ts';

/** Hours of the test clock. */
const HOURS = sizeOf(24);
const STEP_MS = HOUR_MS / 6;
/** Of each so many steps, the relay is away for some. */
const CYCLE = { steps: 36, away: 6 };
/** An account is deleted so long after its owner asked for it. */
const DELETION_MS = 72 * HOUR_MS;
const PEOPLE = 20;
const relay = await startStallingRelay();
const receiver = await startReceiver(answer(200));
after(() => Promise.all([relay.close(), receiver.close()]));

const options = {
  limits: { free: { emails_per_day: 1e6, emails_per_hour: 1e6, drafts: 1e4, calendar_events: 1e5 } },
  env: { SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}`, DELIVERY: 'relay' },
};

onEngines('both', `${HOURS} h of jobs`, options, (suite) => {
  it('each runs once at its time, and none is left', async (context) => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: `day-${t.engine}` })).body;
    const hook = await api.post('/v1/webhooks', { url: receiver.url, events: ['email.received'] });
    assert.equal(hook.status, 201, hook.text);
    const people = Array.from({ length: PEOPLE }, (_, n) => `person-${n}-${t.engine}@people.example`);
    for (const email of people) await t.createAccount({ email });
    const leaving = await t.createAccount();
    assert.equal((await leaving.api.delete('/v1/account')).status, 202);
    const leavesAt = t.clock.now() + DELETION_MS;
    const wanted = new Map<string, number>();
    const logins = new Map<string, number>();
    const inside: string[] = [];
    const [first, firstPost] = [relay.mails.length, receiver.received.length];
    const ends = t.clock.now() + HOURS * HOUR_MS;
    let runs = 0;
    for (let n = 0; t.clock.now() < ends; n++) {
      const mail = { from: address, subject: `mail ${n}`, text: 'x' };
      const now = `now-${n}-${t.engine}@out.example`;
      assert.equal((await api.post('/v1/email/send', { ...mail, to: now })).status, 201);
      wanted.set(now, t.clock.now());
      // Between one step and half a day from now.
      const due = t.clock.now() + STEP_MS * (1 + ((n * 7) % 72));
      const later = `later-${n}-${t.engine}@out.example`;
      const draft = await api.post('/v1/email/drafts', { ...mail, to: later, send_at: new Date(due).toISOString() });
      assert.equal(draft.status, 201, draft.text);
      if (due <= ends) wanted.set(later, due);
      const subject = `inside ${n} ${t.engine}`;
      assert.equal((await api.post('/v1/email/send', { ...mail, subject, to: address })).status, 201);
      inside.push(subject);
      // A login mail is given up after five attempts. Of those that are asked for later, one finds the relay back.
      if (n % CYCLE.steps >= CYCLE.away / 2) {
        const email = people[n % PEOPLE] as string;
        assert.equal((await api.post('/v1/auth/login', { email })).status, 200);
        logins.set(email, (logins.get(email) ?? 0) + 1);
      }
      relay.trouble = n % CYCLE.steps < CYCLE.away ? { stage: 'greeting', how: 'close' } : null;
      // The clock must not leap over the lease of a job that runs.
      await t.app.worker.runDue();
      t.clock.advance(STEP_MS);
      await t.app.worker.runDue();
      runs += 1;
    }
    relay.trouble = null;
    for (let n = 0; n < 12; n++) {
      t.clock.advance(STEP_MS * 6);
      await t.app.worker.runDue();
    }
    const mails = relay.mails.slice(first);
    const arrived = mails.map(({ to }) => to).filter((to) => to.endsWith('@out.example'));
    for (const to of wanted.keys()) assert.equal(arrived.filter((one) => one === to).length, 1, to);
    assert.equal(new Set(arrived).size, arrived.length, 'none twice');
    const links = mails.filter(({ raw }) => /^Subject: Your login link\r$/m.test(raw));
    for (const email of people)
      assert.equal(links.filter(({ to }) => to === email).length, logins.get(email) ?? 0, email);
    const told = receiver.received.slice(firstPost).map(({ body }) => JSON.parse(body).data.subject as string);
    assert.deepEqual(told.sort(), inside.sort(), 'a webhook for each mail');
    assert.equal((await leaving.api.get('/v1/account/me')).status, 200, 'it is not time');
    t.clock.advance(Math.max(0, leavesAt - t.clock.now()));
    await t.app.worker.runDue();
    assert.equal((await leaving.api.get('/v1/account/me')).status, 401, 'the account is deleted');
    const waiting = await t.sql('select kind from jobs where run_at <= ?', t.clock.now());
    assert.deepEqual(waiting, []);
    printRow(context, `${HOURS} h of jobs under a test clock, ${t.engine}`, {
      steps: runs,
      mails: arrived.length,
      logins: links.length,
      webhooks: told.length,
      removals: 1,
    });
  });
});
