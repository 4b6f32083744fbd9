import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { onEngines, type Suite } from '../../../../test/support/harness.ts';
import {
  addressed,
  answer,
  type Behaviour,
  type Received,
  startReceiver,
} from '../../../../test/support/webhook-receiver.ts';
import { DAY_MS } from '../../../base/period.ts';

const PATH = '/v1/webhooks';
const URL = 'http://127.0.0.1:9/hook';

let keys = 0;

const watcher = (suite: Suite) => {
  /** An agent with an address and a webhook to its own receiver. */
  async function watching(context: TestContext, fields: object, behave: Behaviour = answer(204)) {
    const receiver = await startReceiver(behave);
    context.after(receiver.close);
    const agent = await addressed(suite.t);
    const made = await agent.api.post(PATH, { url: receiver.url, ...fields });
    assert.equal(made.status, 201, made.text);
    const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
    return { ...agent, id: made.body.id as string, made: made.body, receiver, bodies };
  }
  return { watching };
};

onEngines('any', 'webhooks for every event type', {}, (suite) => {
  const { watching } = watcher(suite);

  it('an account’s webhook gets each event that it watches, as the log shows it, once, and no other', async (context) => {
    const { t } = suite;
    const ada = await watching(context, { events: ['calendar.updated', 'email.received', 'email.sent'] });
    assert.deepEqual([ada.made.address, ada.made.status], [null, 'active']);
    const event = { summary: 'Stand-up', start: '2026-02-01T09:00:00Z', end: '2026-02-01T09:15:00Z' };
    assert.equal((await ada.api.post('/v1/calendar/events', event)).status, 201);
    const mail = { from: ada.address, to: ada.address, subject: 'Note', text: 'Your code is 483920.' };
    assert.equal((await ada.api.post('/v1/email/send', mail)).status, 201);
    assert.equal((await ada.api.post('/v1/auth/keys/rotate')).status, 200);
    await t.app.worker.runDue();
    const log = await t.sql('select type, data from events where account_id = ? order by seq', ada.accountId);
    const watched = log.filter(({ type }) => type !== 'key.rotated');
    const bodies = ada.bodies();
    const byType = (a: { type: unknown }, b: { type: unknown }) => (String(a.type) < String(b.type) ? -1 : 1);
    assert.deepEqual(
      bodies.map(({ type, data }) => ({ type, data })).sort(byType),
      watched.map(({ type, data }) => ({ type, data: JSON.parse(String(data)) })).sort(byType),
    );
    assert.deepEqual(
      bodies.map(({ type, event, address }) => [type === event, address]).sort(),
      [
        [true, ada.address],
        [true, ada.address],
        [true, undefined],
      ].sort(),
    );
    assert.ok(!JSON.stringify(bodies).includes('483920'), 'a delivery holds a code');
  });

  it('with an address it gets the events about that address alone, and refuses types that are about none', async (context) => {
    const { t } = suite;
    const ada = await addressed(t);
    const other = (await ada.api.post('/v1/email/claim', { address: `other-${keys++}` })).body.address;
    const receiver = await startReceiver(answer(204));
    context.after(receiver.close);
    const hook = { url: receiver.url, address: other, events: ['email.sent'] };
    const made = await ada.api.post(PATH, hook);
    assert.deepEqual([made.status, made.body.address], [201, other]);
    for (const from of [ada.address, other])
      await ada.api.post('/v1/email/send', { from, to: ada.address, subject: from, text: 'x' });
    await t.app.worker.runDue();
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).data.subject),
      [other],
    );
    const refused = await ada.api.post(PATH, { ...hook, events: ['email.sent', 'key.rotated'] });
    assert.deepEqual([refused.status, refused.body.details[0].path], [400, '/body/events']);
    assert.equal((await ada.api.patch(`${PATH}/${made.body.id}`, { events: ['key.rotated'] })).status, 400);
  });

  it('without a secret it makes one, shows it once and signs with it; a given one is never shown', async (context) => {
    const { t } = suite;
    const ada = await watching(context, { events: ['calendar.updated'] });
    assert.match(ada.made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(ada.made.has_secret, true);
    assert.equal('secret' in (await ada.api.get(`${PATH}/${ada.id}`)).body, false);
    await ada.api.post('/v1/calendar/events', { summary: 'x', start: '2026-02-01', end: '2026-02-02' });
    await t.app.worker.runDue();
    const [{ headers, body }] = ada.receiver.received as [Received];
    const at = new Date(1000 * Number(headers['webhook-timestamp']));
    const signature = new Webhook(ada.made.secret).sign(String(headers['webhook-id']), at, body);
    assert.ok(String(headers['webhook-signature']).split(' ').includes(signature));
    const hook = { url: URL, events: ['calendar.updated'] };
    const given = await ada.api.post(PATH, { ...hook, secret: 'mine' }, { 'idempotency-key': 'given' });
    assert.deepEqual([given.status, 'secret' in given.body], [201, false]);
    const again = await ada.api.post(PATH, { ...hook, secret: 'mine' }, { 'idempotency-key': 'given' });
    assert.deepEqual([again.status, again.body], [201, given.body]);
    assert.equal((await ada.api.post(PATH, hook, { 'idempotency-key': 'made' })).status, 201);
    const spent = await ada.api.post(PATH, hook, { 'idempotency-key': 'made' });
    assert.deepEqual([spent.status, spent.body.error], [409, 'idempotency_secret_spent']);
    const stored = await t.sql('select * from idempotency_keys');
    assert.doesNotMatch(JSON.stringify(stored), /whsec_/);
  });

  it('with an address `events` may be left out, and the list narrows to it', async () => {
    const ada = await addressed(suite.t);
    const made = await ada.api.post(PATH, { url: URL, address: ada.address });
    assert.deepEqual([made.status, made.body.events], [201, ['email.received']]);
    assert.equal((await ada.api.post(PATH, { url: URL, events: ['key.rotated'] })).status, 201);
    const missing = await ada.api.post(PATH, { url: URL });
    assert.deepEqual([missing.status, missing.body.details[0].path], [400, '/body/events']);
    const narrow = await ada.api.get(`${PATH}?address=${ada.address}`);
    assert.deepEqual(
      narrow.body.webhooks.map(({ id }: { id: string }) => id),
      [made.body.id],
    );
    assert.equal((await ada.api.get(`${PATH}?address=${'a'.repeat(100)}`)).status, 400);
  });

  it('the older path lists only webhooks of addresses; this one lists all, and shows each', async () => {
    const ada = await addressed(suite.t);
    const { secret: _, ...whole } = (await ada.api.post(PATH, { url: URL, events: ['key.rotated'] })).body;
    const mail = (await ada.api.post('/v1/email/webhooks', { address: ada.address, url: URL })).body;
    assert.deepEqual((await ada.api.get('/v1/email/webhooks')).body, { webhooks: [mail], count: 1 });
    const all = (await ada.api.get(PATH)).body;
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    assert.deepEqual([all.webhooks.sort(byId), all.count], [[whole, mail].sort(byId), 2]);
    const shown = async () => {
      const { days, ...one } = (await ada.api.get(`${PATH}/${whole.id}`)).body;
      assert.equal(days.length, 7);
      return one;
    };
    assert.deepEqual(await shown(), whole);
    const bob = await addressed(suite.t);
    assert.equal((await bob.api.get(PATH)).body.count, 0);
    for (const reply of [
      await bob.api.get(`${PATH}/${whole.id}`),
      await bob.api.patch(`${PATH}/${whole.id}`, { url: 'http://127.0.0.1:9/mine' }),
      await bob.api.delete(`${PATH}/${whole.id}`),
      await bob.api.post(`${PATH}/${whole.id}/test`),
      await bob.api.get(`${PATH}/${whole.id}/deliveries`),
    ])
      assert.deepEqual([reply.status, reply.body.error], [404, 'not_found']);
    assert.deepEqual(await shown(), whole);
  });

  it('needs what reading the events needs: the scope, and a credential that is not limited to addresses', async () => {
    const { t } = suite;
    const ada = await addressed(t);
    const keyWith = async (fields: object) =>
      t.api((await ada.api.post('/v1/account/keys', { name: `k${keys++}`, ...fields })).body.api_key);
    const only = await keyWith({ scopes: ['webhooks:manage'] });
    const wide = { url: URL, events: ['key.rotated'] };
    const refused = await only.post(PATH, wide);
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'events:read']);
    const mail = { url: URL, address: ada.address, events: ['email.received'] };
    const made = await only.post(PATH, mail);
    assert.equal(made.status, 201);
    assert.equal((await only.patch(`${PATH}/${made.body.id}`, { events: ['email.sent'] })).status, 403);
    const reader = await keyWith({ scopes: ['webhooks:manage', 'events:read'] });
    const whole = await reader.post(PATH, wide);
    assert.equal(whole.status, 201);
    const moved = await only.patch(`${PATH}/${whole.body.id}`, { url: `${URL}/elsewhere` });
    assert.deepEqual([moved.status, moved.body.required_scope], [403, 'events:read']);
    assert.equal((await only.patch(`${PATH}/${made.body.id}`, { url: `${URL}/elsewhere` })).status, 200);
    const limited = await keyWith({ scopes: ['webhooks:manage', 'events:read'], addresses: [ada.address] });
    assert.equal((await limited.post(PATH, wide)).body.error, 'insufficient_scope');
    assert.equal((await limited.get(`${PATH}/${whole.body.id}`)).status, 404);
    assert.equal((await limited.delete(`${PATH}/${whole.body.id}`)).status, 404);
    assert.deepEqual(
      (await limited.get(PATH)).body.webhooks.map(({ id }: { id: string }) => id),
      [made.body.id],
    );
  });

  it('pauses and resumes: a paused one gets nothing, and no successful test resumes it', async (context) => {
    const { t } = suite;
    const ada = await watching(context, { events: ['email.sent'] });
    const send = async (subject: string) => {
      const mail = { from: ada.address, to: ada.address, subject, text: 'x' };
      assert.equal((await ada.api.post('/v1/email/send', mail)).status, 201);
      await t.app.worker.runDue();
    };
    const paused = await ada.api.patch(`${PATH}/${ada.id}`, { status: 'disabled' });
    assert.deepEqual([paused.status, paused.body.status, paused.body.disabled_reason], [200, 'disabled', 'paused']);
    await send('while paused');
    assert.equal((await ada.api.post(`${PATH}/${ada.id}/test`)).status, 202);
    await t.app.worker.runDue();
    assert.deepEqual(
      ada.bodies().map(({ type, address, data }) => ({ type, address, data })),
      [{ type: 'webhook.test', address: null, data: {} }],
    );
    assert.equal((await ada.api.get(`${PATH}/${ada.id}`)).body.status, 'disabled');
    const { deliveries } = (await ada.api.get(`${PATH}/${ada.id}/deliveries`)).body;
    assert.deepEqual([deliveries.length, deliveries[0].status], [1, 'delivered']);
    assert.equal((await ada.api.post(`${PATH}/${ada.id}/deliveries/${deliveries[0].id}/retry`)).status, 202);
    await t.app.worker.runDue();
    const resumed = await ada.api.patch(`${PATH}/${ada.id}`, { status: 'active' });
    assert.deepEqual([resumed.body.status, resumed.body.disabled_reason], ['active', null]);
    await send('resumed');
    assert.deepEqual(
      ada.bodies().flatMap(({ data }) => data.subject ?? []),
      ['resumed'],
    );
  });

  it('a change of the URL or the events holds from the next event on; a private host is refused there too', async (context) => {
    const { t } = suite;
    const ada = await watching(context, { events: ['key.rotated'] });
    const next = await startReceiver(answer(204));
    context.after(next.close);
    const changed = await ada.api.patch(`${PATH}/${ada.id}`, { url: next.url, events: ['email.sent'] });
    assert.deepEqual([changed.body.url, changed.body.events], [next.url, ['email.sent']]);
    for (const body of [{ url: 'ftp://example.com' }, { url: 'http://user:pw@example.com' }, { events: [] }, {}])
      assert.equal((await ada.api.patch(`${PATH}/${ada.id}`, body)).status, 400, JSON.stringify(body));
    await ada.api.post('/v1/email/send', { from: ada.address, to: ada.address, subject: 'x', text: 'x' });
    await t.app.worker.runDue();
    assert.deepEqual([ada.receiver.received.length, next.received.length], [0, 1]);
  });

  it('is paused by securing the account when a thief changed it, however old it is', async (context) => {
    const { t } = suite;
    const ada = await watching(context, { events: ['key.rotated'] });
    const old = (await ada.api.post(PATH, { url: URL, events: ['key.rotated'] })).body.id;
    t.clock.advance(40 * DAY_MS);
    await ada.api.patch(`${PATH}/${ada.id}`, { url: 'http://127.0.0.1:9/thief' });
    const secured = await ada.api.post('/v1/account/secure', {});
    assert.equal(secured.status, 200, secured.text);
    const paused = secured.body.webhooks.map((hook: { id: string; paused: boolean }) => [hook.id, hook.paused]);
    assert.deepEqual(Object.fromEntries(paused), { [ada.id]: true, [old]: false });
  });
});

onEngines('both', 'webhooks for every event type', {}, (suite) => {
  const { watching } = watcher(suite);

  it('shares the limit of webhooks, and events after the last deletion are delivered to nobody', async (context) => {
    const { t } = suite;
    const ada = await watching(context, { events: ['email.sent'] });
    const more = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        i % 2 === 0
          ? ada.api.post(PATH, { url: URL, events: ['key.rotated'] })
          : ada.api.post('/v1/email/webhooks', { address: ada.address, url: URL }),
      ),
    );
    assert.equal(more.filter(({ status }) => status === 201).length, 19);
    for (const { id } of (await ada.api.get(PATH)).body.webhooks) await ada.api.delete(`${PATH}/${id}`);
    const mail = { from: ada.address, to: ada.address, subject: 'x', text: 'x' };
    await ada.api.post('/v1/email/send', mail);
    await t.app.worker.runDue();
    assert.equal(ada.receiver.received.length, 0);
    const again = await ada.api.post(PATH, { url: ada.receiver.url, events: ['email.sent'] });
    assert.equal(again.status, 201);
    await ada.api.post('/v1/email/send', mail);
    await t.app.worker.runDue();
    assert.equal(ada.receiver.received.length, 1);
  });
});
