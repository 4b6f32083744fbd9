import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines, startTestApp, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { STAGES, type Stage, type StallingRelay, startStallingRelay } from '../../../../test/support/stalling-relay.ts';
import { createMailTransport } from '../../../mail/smtp-out/mail-transport.ts';

const relay = await startStallingRelay();
after(() => relay.close());

/** Timeouts in milliseconds, given in the URL. The service's default is 45 s. Long for each relay that answers. */
const PATIENCE = 4000;
const timeouts = ['connectionTimeout', 'greetingTimeout', 'socketTimeout'].map((name) => `${name}=${PATIENCE}`);
const envOf = ({ port }: StallingRelay) => ({ SMTP_RELAY_URL: `smtp://127.0.0.1:${port}?${timeouts.join('&')}` });
const MINUTE = 60_000;
let names = 0;

async function sender(t: TestApp, at = relay): Promise<TestAccount & { address: string }> {
  await at.hangUp();
  at.mails.length = 0;
  at.trouble = null;
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/email/claim', { address: `patient-${names++}` });
  return { ...account, address: body.address };
}
async function send({ api, address }: { api: TestAccount['api']; address: string }, to: string): Promise<string> {
  const { status, body } = await api.post('/v1/email/send', { from: address, to, subject: 'out', text: 'hello' });
  assert.equal(status, 201);
  return body.id;
}
const entryOf = async ({ api }: TestAccount, id: string) =>
  (await api.get('/v1/email/outbox')).body.messages.find((entry: { id: string }) => entry.id === id);
const messageIdIn = (raw: string): string | undefined => /^Message-ID: (.+)\r$/im.exec(raw)?.[1];

/** What becomes of a mail. */
async function isDelayed(t: TestApp, relay: StallingRelay, how: 'hang' | 'close', stage: Stage): Promise<void> {
  const ada = await sender(t, relay);
  relay.trouble = { stage, how };
  const id = await send(ada, 'bob@out.example');
  await t.app.worker.runDue();
  const waiting = await entryOf(ada, id);
  assert.deepEqual([waiting.status, waiting.recipients[0].status], ['pending', 'pending']);
  const [job] = await t.sql('select attempts, run_at from jobs where payload like ?', `%${id}%`);
  assert.deepEqual([Number(job?.attempts), Number(job?.run_at)], [1, t.clock.now() + MINUTE]);
  // A relay that got the whole mail may have kept it. Only then can it arrive twice, with the same Message-ID.
  assert.equal(relay.mails.length, stage === 'taken' ? 1 : 0);
  relay.trouble = null;
  t.clock.advance(MINUTE);
  await t.app.worker.runDue();
  assert.equal((await entryOf(ada, id)).status, 'sent');
  assert.equal(relay.mails.filter(({ acknowledged }) => acknowledged).length, 1);
  assert.equal(new Set(relay.mails.map(({ raw }) => messageIdIn(raw))).size, 1);
}
const nameOf = (how: string, stage: Stage): string =>
  `${how}s at ${stage}: the mail stays pending, is retried after a minute, and keeps its Message-ID`;

onEngines('any', 'a relay that stops answering', { env: envOf(relay) }, (suite) => {
  for (const stage of STAGES) it(nameOf('close', stage), () => isDelayed(suite.t, relay, 'close', stage));
  // At each other stage, to hang is to close for the database.
  it(nameOf('hang', 'taken'), () => isDelayed(suite.t, relay, 'hang', 'taken'));

  it('hangs on some mails while the others are sent', async () => {
    const { t } = suite;
    const ada = await sender(t);
    relay.trouble = { stage: 'RCPT', how: 'hang', recipient: 'slow@out.example' };
    const slow = [];
    for (let i = 0; i < 4; i++) slow.push(await send(ada, 'slow@out.example'));
    const running = t.app.worker.runDue();
    const quick = await send(ada, 'quick@out.example');
    await t.app.worker.runDue();
    await running;
    assert.equal((await entryOf(ada, quick)).status, 'sent');
    assert.deepEqual(
      relay.mails.map(({ to }) => to),
      ['quick@out.example'],
    );
    for (const id of slow) assert.equal((await entryOf(ada, id)).status, 'pending');
  });
});

// Each has a relay and a service of its own, so that all wait at the same time.
describe('a relay that stops answering, before it has the mail', { concurrency: true }, () => {
  for (const stage of STAGES.filter((each) => each !== 'taken'))
    it(nameOf('hang', stage), async (test) => {
      const own = await startStallingRelay();
      test.after(() => own.close());
      const t = await startTestApp('sqlite', { env: envOf(own) });
      try {
        await isDelayed(t, own, 'hang', stage);
      } finally {
        await t.stop();
      }
    });
});

it('a relay that hangs on the mails of agents takes those of the service', async () => {
  await relay.hangUp();
  relay.mails.length = 0;
  relay.trouble = { stage: 'RCPT', how: 'hang', recipient: 'slow@out.example' };
  const transport = createMailTransport({ relayUrl: `smtp://127.0.0.1:${relay.port}`, outboxDir: '' });
  const mail = { raw: Buffer.from('Subject: hello\r\n\r\nhello\r\n') };
  const slow = Array.from({ length: 9 }, (_, n) =>
    transport.send({
      ...mail,
      id: `slow-${n}`,
      envelopeFrom: 'bounce@agents.example',
      recipients: ['slow@out.example'],
    }),
  );
  await eventually(() => relay.stalled() >= 8);
  assert.equal(relay.stalled(), 8);
  const own = await transport.send({ ...mail, id: 'own', envelopeFrom: '', recipients: ['ada@out.example'] });
  assert.equal(own.status, 'sent');
  relay.trouble = null;
  await relay.hangUp();
  await Promise.all(slow);
  transport.close();
});
