import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { onEngines, startTestApp } from '../../../../test/support/harness.ts';
import {
  addressed,
  answer,
  deliveriesOf,
  hang,
  pass,
  receive,
  reset,
  shown,
  startReceiver,
  WEBHOOKS,
  watched,
  watchedNow,
  webhookOf,
} from '../../../../test/support/webhook-receiver.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const LEASE_MS = 300_000;

onEngines('any', 'the webhooks of an address', watchedNow, (suite) => {
  it('each get one signed POST for a mail, with the documented body and the id of the event', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(200, {}, 'thanks'), { secret: SECRET });
    await receive(t, ada.address);
    const [{ headers, body }] = (await ada.receiver.waitFor(1)) as [{ headers: Record<string, string>; body: string }];
    const event = (await ada.api.get('/v1/events')).body.events[0];
    const message = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages[0];
    const { message_id, thread_id, subject, snippet, received_at, auth } = message;
    assert.deepEqual(JSON.parse(body), {
      id: event.id,
      type: 'email.received',
      event: 'email.received',
      created_at: event.created_at,
      address: ada.address,
      message: {
        message_id,
        thread_id,
        from: 'ada@example.com',
        to: [ada.address],
        subject,
        snippet,
        has_code: false,
        link_kinds: [],
        received_at,
        auth,
      },
      data: event.data,
    });
    assert.equal(headers['webhook-id'], event.id);
    assert.equal(headers['x-service-signature'], `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`);
    assert.deepEqual(new Webhook(SECRET).verify(body, headers), JSON.parse(body));
    assert.deepEqual(new SvixWebhook(SECRET).verify(body, headers), JSON.parse(body));
    const [delivery] = await deliveriesOf(ada);
    assert.equal(delivery.status, 'delivered');
    assert.equal(delivery.response_snippet, 'thanks');
    assert.equal(ada.receiver.received.length, 1);
  });

  it('get mail from other agents of the service, and no mail to other addresses of the account', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(200));
    const other = (await ada.api.post('/v1/email/claim', { address: `${ada.address.split('@')[0]}-too` })).body.address;
    const bob = await addressed(t);
    const to = [ada.address, other];
    assert.equal(
      (await bob.api.post('/v1/email/send', { from: bob.address, to, subject: 'Hi', text: 'x' })).status,
      201,
    );
    await t.app.worker.runDue();
    assert.deepEqual(
      ada.receiver.received.map(({ body }) => JSON.parse(body).address),
      [ada.address],
    );
    assert.equal(JSON.parse(ada.receiver.received[0]?.body ?? '').message.auth.method, 'internal');
  });
});

onEngines('both', 'the webhooks of an address', watchedNow, (suite) => {
  it('have their deliveries stored with the event: if that fails, the mail is not received', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(200));
    const mail = { from: ada.address, to: ada.address, subject: 'Note to self', text: 'x' };
    await t.sql('alter table webhook_deliveries rename to webhook_deliveries_away');
    const refused = await ada.api.post('/v1/email/send', mail);
    await t.sql('alter table webhook_deliveries_away rename to webhook_deliveries');
    assert.ok(refused.status >= 500, refused.text);
    assert.equal((await ada.api.get('/v1/events')).body.count, 0);
    assert.equal((await ada.api.post('/v1/email/send', mail)).status, 201);
    await t.app.worker.runDue();
    assert.equal(ada.receiver.received.length, 1);
  });

  it('are not delayed by another receiver that hangs or resets', async (context) => {
    const { t } = suite;
    const hung = await watched(context, t, hang);
    const broken = await watched(context, t, reset);
    const well = await watched(context, t, answer(200));
    for (let i = 0; i < 12; i++) {
      for (const { address } of [hung, broken]) await t.sendSmtp({ to: address });
    }
    await hung.receiver.waitFor(4);
    await t.sendSmtp({ to: well.address });
    // Arrives while the others hang: only its own arrival ends the wait.
    await well.receiver.waitFor(1);
    assert.equal(hung.receiver.received.length, 4);
    // Mail to another address overtakes what waits to be parsed: a read waits for it.
    await hung.api.get(`/v1/email/inbox?address=${hung.address}`);
    const rest = (await deliveriesOf(hung)).map(({ status }) => status);
    assert.deepEqual(rest, new Array(12).fill('pending'));
    await hung.api.delete(`${WEBHOOKS}/${hung.hook}`);
    await hung.receiver.close();
  });
});

onEngines('any', 'a delivery that fails', shown, (suite) => {
  it('is retried on schedule with the same id and body, and fails after eight attempts', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(500, {}, 'out of order'));
    await receive(t, ada.address);
    const waits = [5000, 300_000, 1_800_000, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
    for (const [i, wait] of waits.entries()) {
      const [{ status, attempts, next_attempt_at, error, response_status, response_snippet }] = await deliveriesOf(ada);
      assert.deepEqual(
        [status, attempts, error, response_status, response_snippet],
        ['pending', i + 1, 'http_status', 500, 'out of order'],
      );
      const planned = Date.parse(next_attempt_at) - t.clock.now();
      assert.ok(planned >= wait && planned <= wait * 1.2, `attempt ${i + 2} in ${planned} ms`);
      t.clock.advance(planned - 1);
      await t.app.worker.runDue();
      assert.equal(ada.receiver.received.length, i + 1);
      t.clock.advance(1);
      await t.app.worker.runDue();
    }
    const [end] = await deliveriesOf(ada);
    assert.deepEqual([end.status, end.attempts, end.next_attempt_at], ['failed', 8, null]);
    await pass(t, DAY_MS);
    const { received } = ada.receiver;
    assert.equal(received.length, 8);
    assert.equal(new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1);
    assert.equal(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size, 8);
  });

  it('is delivered when the receiver works again', async (context) => {
    const { t } = suite;
    let status = 500;
    const ada = await watched(context, t, (response) => void response.writeHead(status).end());
    await receive(t, ada.address);
    assert.notEqual((await webhookOf(ada)).failing_since, null);
    status = 204;
    await pass(t, 5000);
    const [delivery] = await deliveriesOf(ada);
    assert.deepEqual([delivery.status, delivery.attempts, delivery.error], ['delivered', 2, null]);
    assert.equal((await webhookOf(ada)).failing_since, null);
  });

  it('by a redirect is not sent to the target', async (context) => {
    const { t } = suite;
    const target = await startReceiver(answer(200));
    context.after(target.close);
    const ada = await watched(context, t, answer(307, { location: target.url }));
    await receive(t, ada.address);
    const [{ status, error }] = await deliveriesOf(ada);
    assert.deepEqual([status, error], ['pending', 'redirect']);
    assert.equal(target.received.length, 0);
  });

  it('by 429 waits as long as Retry-After says', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(429, { 'retry-after': '3600' }));
    await receive(t, ada.address);
    const [{ next_attempt_at }] = await deliveriesOf(ada);
    assert.equal(Date.parse(next_attempt_at) - t.clock.now(), HOUR_MS);
  });

  it('by 410 disables the webhook at once, and a successful test enables it', async (context) => {
    const { t } = suite;
    let status = 410;
    const ada = await watched(context, t, (response) => void response.writeHead(status).end());
    await receive(t, ada.address);
    await pass(t, DAY_MS);
    const { status: state, disabled_reason } = await webhookOf(ada);
    assert.deepEqual([state, disabled_reason], ['disabled', 'gone']);
    await receive(t, ada.address);
    assert.equal(ada.receiver.received.length, 1);
    status = 200;
    const ping = await ada.api.post(`${WEBHOOKS}/${ada.hook}/test`);
    assert.equal(ping.status, 202);
    await t.app.worker.runDue();
    assert.equal((await webhookOf(ada)).status, 'active');
    await receive(t, ada.address);
    assert.equal(ada.receiver.received.length, 3);
  });

  it('that is on its way does not start a webhook that was paused meanwhile; a test by its owner does', async (context) => {
    const { t } = suite;
    let key = '';
    const ada = await watched(context, t, async (response) => {
      if (key === '') key = (await ada.api.post('/v1/account/secure')).body.api_key;
      response.writeHead(200).end();
    });
    await receive(t, ada.address);
    const owner = { ...ada, api: t.api(key) };
    assert.deepEqual(
      [(await deliveriesOf(owner))[0].status, (await webhookOf(owner)).status],
      ['delivered', 'disabled'],
    );
    await owner.api.post(`${WEBHOOKS}/${ada.hook}/test`);
    await t.app.worker.runDue();
    assert.equal((await webhookOf(owner)).status, 'active');
  });
});

onEngines('both', 'a delivery that fails', shown, (suite) => {
  it('for five days without a success disables the webhook and ends pending deliveries', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(500));
    await receive(t, ada.address);
    t.clock.advance(5 * DAY_MS - 1);
    await t.app.worker.runDue();
    assert.equal((await webhookOf(ada)).status, 'active');
    await receive(t, ada.address);
    t.clock.advance(300_000 * 1.2);
    await t.app.worker.runDue();
    const { status, disabled_reason } = await webhookOf(ada);
    assert.deepEqual([status, disabled_reason], ['disabled', 'failing']);
    await pass(t, DAY_MS);
    assert.deepEqual(
      (await deliveriesOf(ada)).map((delivery) => delivery.status),
      ['failed', 'failed'],
    );
    assert.equal(
      (await deliveriesOf(ada)).some(({ error }) => error === 'webhook_disabled'),
      true,
    );
  });

  it('is attempted again if the process died before it recorded the result', async (context) => {
    const { t } = suite;
    let attempts = 0;
    const ada = await watched(context, t, async (response) => {
      // From here on the attempt cannot be written down, as if the process were gone.
      if (attempts++ === 0) await t.sql('alter table webhook_deliveries rename to webhook_deliveries_away');
      response.writeHead(200).end();
    });
    await receive(t, ada.address);
    await t.sql('alter table webhook_deliveries_away rename to webhook_deliveries');
    assert.equal((await deliveriesOf(ada))[0].status, 'pending');
    t.clock.advance(LEASE_MS - 1);
    await t.app.worker.runDue();
    assert.equal(attempts, 1);
    t.clock.advance(1);
    await t.app.worker.runDue();
    assert.equal(attempts, 2);
    assert.equal((await deliveriesOf(ada))[0].status, 'delivered');
    const [first, second] = ada.receiver.received;
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  });
});

describe('a service that stops', () => {
  it('does not wait for a receiver that hangs', { timeout: 120_000 }, async (context) => {
    const t = await startTestApp('sqlite', { webhookTimeoutMs: 600_000 });
    const ada = await watched(context, t, hang);
    await t.sendSmtp({ to: ada.address });
    await ada.receiver.waitFor(1);
    await t.stop();
    assert.deepEqual(t.faults, []);
  });
});

onEngines('any', 'a receiver at a private address', {}, (suite) => {
  it('M4: gets the delivery in development mode, and no part of its reply is shown', async (context) => {
    const { t } = suite;
    assert.equal(t.config.development, true);
    const ada = await watched(context, t, answer(500, {}, 'AWS_SECRET=hush'));
    await receive(t, ada.address);
    const [delivery] = await deliveriesOf(ada);
    assert.deepEqual([delivery.response_status, delivery.response_snippet], [500, '']);
    assert.ok(!JSON.stringify(await t.sql('select * from webhook_deliveries')).includes('hush'));
  });
});

const container = { env: { HOST: '0.0.0.0' } };

onEngines('any', 'M4: a service that listens on 0.0.0.0', container, (suite) => {
  it('is in production: it refuses a webhook to a private address, although its own address is loopback', async () => {
    const { t } = suite;
    assert.equal(t.config.development, false);
    const { api } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: `private-${t.engine}` })).body;
    for (const url of ['http://127.0.0.1:9/', 'http://10.0.0.1/', 'http://169.254.169.254/']) {
      const { status, body } = await api.post(WEBHOOKS, { address, url });
      assert.deepEqual([status, body.details[0].code], [400, 'not_allowed'], url);
    }
  });
});
