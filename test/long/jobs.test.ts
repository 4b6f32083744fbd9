import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { HOUR_MS } from '../../src/kernel/period.ts';
import { onBothDatabases } from '../support/harness.ts';
import { startStallingRelay } from '../support/stalling-relay.ts';
import { printRow, sizeOf } from './size.ts';

/** Hours of the test clock. */
const HOURS = sizeOf(24);
const STEP_MS = HOUR_MS / 6;
const relay = await startStallingRelay();
after(() => relay.close());

const options = {
  limits: { free: { emails_per_day: 1e6, emails_per_hour: 1e6, drafts: 1e4, calendar_events: 1e5 } },
  env: { SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}`, DELIVERY: 'relay' },
};

onBothDatabases(`${HOURS} h of jobs`, options, (suite) => {
  it('each runs once at its time, and none is left', async (context) => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: `day-${t.engine}` })).body;
    const wanted = new Map<string, number>();
    const first = relay.mails.length;
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
      await api.post('/v1/auth/login', { email: `person-${n % 20}@example.org` });
      // A relay that is away for an hour of each six.
      relay.trouble = n % 36 < 6 ? { stage: 'greeting', how: 'close' } : null;
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
    const arrived = relay.mails.slice(first).map(({ to }) => to);
    for (const to of wanted.keys()) assert.equal(arrived.filter((one) => one === to).length, 1, to);
    assert.equal(new Set(arrived).size, arrived.length, 'none twice');
    const waiting = await t.sql('select kind from jobs where run_at <= ?', t.clock.now());
    assert.deepEqual(waiting, []);
    printRow(context, `${HOURS} h of jobs under a test clock, ${t.engine}`, { steps: runs, mails: arrived.length });
  });
});
