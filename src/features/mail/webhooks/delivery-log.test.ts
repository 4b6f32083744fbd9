import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import {
  answer,
  deliveriesOf,
  pass,
  receive,
  shown,
  WEBHOOKS,
  watched,
  webhookOf,
} from '../../../../test/support/webhook-receiver.ts';
import { DAY_MS } from '../../../base/period.ts';
import { forgetWebhookDays } from './webhook-day-store.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

onEngines('any', 'the delivery log', shown, (suite) => {
  it('has one attempt of a test, even if it fails', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(500), { secret: SECRET });
    const { body: ping } = await ada.api.post(`${WEBHOOKS}/${ada.hook}/test`);
    await t.app.worker.runDue();
    await pass(t, DAY_MS);
    const [{ id, event, status, attempts }] = await deliveriesOf(ada);
    assert.deepEqual([id, event, status, attempts], [ping.id, 'webhook.test', 'failed', 1]);
    assert.equal(ada.receiver.received.length, 1);
    assert.equal(JSON.parse(ada.receiver.received[0]?.body ?? '').type, 'webhook.test');
    assert.equal((await webhookOf(ada)).failing_since, null);
  });

  it('GET /v1/webhooks/{id}/deliveries/{id}: one with its body; 404 for others, no_longer_kept after 30 days', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(204));
    await receive(t, ada.address);
    const [{ id }] = await deliveriesOf(ada);
    const path = `/v1/webhooks/${ada.hook}/deliveries/${id}`;
    const { body } = await ada.api.get(path);
    assert.deepEqual([body.id, body.status, body.body], [id, 'delivered', ada.receiver.received[0]?.body]);
    const key = (await ada.api.post('/v1/account/keys', { name: 'hooks', scopes: ['webhooks:manage'] })).body.api_key;
    assert.notEqual((await t.api(key).get(path)).body.body, body.body, 'masked for who may not see codes');
    const stranger = await t.createAccount();
    assert.equal((await stranger.api.get(path)).body.error, 'not_found');
    const other = `/v1/webhooks/${ada.hook}/deliveries/dlv_${'z'.repeat(26)}`;
    assert.equal((await ada.api.get(other)).body.error, 'not_found');
    await t.sql('delete from webhook_deliveries where id = ?', id);
    assert.equal((await ada.api.get(path)).body.error, 'not_found');
    t.clock.advance(30 * DAY_MS);
    assert.equal((await ada.api.get(path)).body.error, 'no_longer_kept');
    assert.equal((await stranger.api.get(path)).body.error, 'not_found', 'whose webhook it is comes first');
  });

  it('deliveries of the account, and of events that are not of mail, need the scope of reading events too', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(204));
    await receive(t, ada.address);
    const fields = { url: ada.receiver.url, events: ['email.received', 'email.sent'] };
    const wide = (await ada.api.post('/v1/webhooks', fields)).body.id;
    const mixed = { ...fields, address: ada.address };
    const sent = (await ada.api.post('/v1/webhooks', mixed)).body.id;
    const send = { from: ada.address, to: 'bob@example.com', subject: 'x', text: 'x' };
    assert.equal((await ada.api.post('/v1/email/send', send)).status, 201);
    await receive(t, ada.address);
    const keyWith = async (scopes: string[]) =>
      t.api((await ada.api.post('/v1/account/keys', { name: scopes.join(' '), scopes })).body.api_key);
    const only = await keyWith(['webhooks:manage']);
    const reader = await keyWith(['webhooks:manage', 'events:read']);
    const listOf = async (hook: string): Promise<string[]> => {
      for (const family of ['/v1/webhooks', WEBHOOKS]) {
        const refused = await only.get(`${family}/${hook}/deliveries`);
        assert.deepEqual([refused.status, refused.body.required_scope], [403, 'events:read']);
      }
      const { deliveries } = (await reader.get(`/v1/webhooks/${hook}/deliveries`)).body;
      return Promise.all(
        deliveries.map(async ({ id, event }: { id: string; event: string }) => {
          const path = `/v1/webhooks/${hook}/deliveries/${id}`;
          assert.equal((await reader.get(path)).status, 200);
          return `${event} ${(await only.get(path)).status}`;
        }),
      );
    };
    assert.deepEqual((await listOf(wide)).sort(), ['email.received 403', 'email.sent 403']);
    assert.deepEqual((await listOf(sent)).sort(), ['email.received 200', 'email.sent 403']);
    await ada.api.patch(`/v1/webhooks/${sent}`, { events: ['email.received'] });
    await listOf(sent);
    await ada.api.post(`${WEBHOOKS}/${ada.hook}/test`);
    assert.equal((await only.get(`${WEBHOOKS}/${ada.hook}/deliveries`)).body.count, 3);
  });

  it('retries a failed, pending or delivered delivery at once with the same body', async (context) => {
    const { t } = suite;
    let status = 500;
    const ada = await watched(context, t, (response) => void response.writeHead(status).end());
    await receive(t, ada.address);
    const [{ id }] = await deliveriesOf(ada);
    const retry = () => ada.api.post(`${WEBHOOKS}/${ada.hook}/deliveries/${id}/retry`);
    assert.equal((await retry()).status, 202);
    await t.app.worker.runDue();
    assert.deepEqual((await deliveriesOf(ada))[0].attempts, 1);
    status = 200;
    await retry();
    await t.app.worker.runDue();
    assert.equal((await deliveriesOf(ada))[0].status, 'delivered');
    await retry();
    await t.app.worker.runDue();
    const { received } = ada.receiver;
    assert.equal(received.length, 4);
    assert.equal(new Set(received.map(({ body }) => body)).size, 1);
    const log = (await deliveriesOf(ada))[0].attempt_log;
    const statuses = log.map((one: Record<string, unknown>) => [one.response_status, one.error, typeof one.at]);
    const [bad, good] = [
      [500, 'http_status', 'string'],
      [200, null, 'string'],
    ];
    assert.deepEqual(statuses, [bad, bad, good, good], 'each attempt, oldest first');
    // The scheduled attempts of earlier runs do nothing.
    await pass(t, DAY_MS);
    assert.equal(received.length, 4);
  });

  it('counts what arrived and what was given up by day, for a week; a deleted webhook leaves no count', async (context) => {
    const { t } = suite;
    let status = 500;
    const ada = await watched(context, t, (response) => void response.writeHead(status).end());
    const ping = async () => {
      await ada.api.post(`${WEBHOOKS}/${ada.hook}/test`);
      await t.app.worker.runDue();
    };
    const days = async () => (await ada.api.get(`/v1/webhooks/${ada.hook}`)).body.days;
    const week = async () =>
      (await days()).map((day: { delivered: number; failed: number }) => [day.delivered, day.failed]);
    await ping();
    status = 200;
    await ping();
    await ping();
    const none = [0, 0];
    assert.deepEqual(await week(), [none, none, none, none, none, none, [2, 1]]);
    assert.equal((await days())[6].day, new Date(t.clock.now()).toISOString().slice(0, 10));
    t.clock.advance(6 * DAY_MS);
    await ping();
    assert.deepEqual(await week(), [[2, 1], none, none, none, none, none, [1, 0]]);
    t.clock.advance(DAY_MS);
    await t.app.database.transaction((tx) => forgetWebhookDays(tx, t.clock.now()));
    assert.deepEqual((await week())[5], [1, 0]);
    assert.equal((await t.sql('select day_start from webhook_days where webhook_id = ?', ada.hook)).length, 1);
    await ada.api.post(`${WEBHOOKS}/${ada.hook}/test`);
    await ada.api.delete(`${WEBHOOKS}/${ada.hook}`);
    await t.app.worker.runDue();
    assert.deepEqual(await t.sql('select day_start from webhook_days where webhook_id = ?', ada.hook), []);
  });

  it('never shows the secret, also not in replies, events, audit entries, jobs or logs after a receiver repeats it', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(500, {}, `bad signature, expected one by ${SECRET}!`), {
      secret: SECRET,
    });
    await receive(t, ada.address);
    const replies = await Promise.all(
      [WEBHOOKS, `${WEBHOOKS}/${ada.hook}/deliveries`, '/v1/events'].map((path) => ada.api.get(path)),
    );
    assert.equal((await deliveriesOf(ada))[0].response_snippet, 'bad signature, expected one by …!');
    const rows = await Promise.all(
      ['webhook_deliveries', 'jobs', 'events', 'audit_entries', 'idempotency_keys'].map((table) =>
        t.sql(`select * from ${table}`),
      ),
    );
    const everything = JSON.stringify([replies.map(({ text }) => text), rows, t.faults]);
    assert.ok(everything.includes(ada.hook));
    assert.ok(!everything.includes(SECRET));
  });
});

onEngines('both', 'the delivery log', shown, (suite) => {
  it('lists every delivery once, newest first, and refuses a bad cursor with 400 invalid_cursor', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(200));
    const pings: string[] = [];
    for (let i = 0; i < 5; i++) {
      t.clock.advance(1);
      pings.unshift((await ada.api.post(`${WEBHOOKS}/${ada.hook}/test`)).body.id);
    }
    const seen: string[] = [];
    for (let cursor = ''; cursor !== null; ) {
      const { body } = await ada.api.get(`${WEBHOOKS}/${ada.hook}/deliveries?limit=2${cursor && `&cursor=${cursor}`}`);
      assert.equal(body.count, body.deliveries.length);
      seen.push(...body.deliveries.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, pings);
    for (const cursor of ['nonsense', 'WyJhIl0']) {
      const refused = await ada.api.get(`${WEBHOOKS}/${ada.hook}/deliveries?cursor=${cursor}`);
      assert.equal(refused.body.error, 'invalid_cursor');
    }
  });

  it('deletes deliveries after 30 days', async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, answer(200));
    const ping = () => ada.api.post(`${WEBHOOKS}/${ada.hook}/test`);
    await ping();
    await t.app.worker.runDue();
    t.clock.advance(30 * DAY_MS + 1);
    const { id } = (await ping()).body;
    await t.app.worker.runDue();
    assert.deepEqual(
      (await deliveriesOf(ada)).map((delivery) => delivery.id),
      [id],
    );
  });
});
