import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { type Api, type ApiReply, createApi, onEngines } from '../../../../test/support/harness.ts';
import { answer, startReceiver } from '../../../../test/support/webhook-receiver.ts';

let names = 0;

const PATH = '/v1/email/webhooks';
const URL = 'http://127.0.0.1:9/hook';
const SECRET = 'a secret that is never shown';

const create = ({ api, address }: TestAgent, fields: object = {}): Promise<ApiReply> =>
  api.post(PATH, { address, url: URL, ...fields });

onEngines('any', 'webhooks', {}, (suite) => {
  it('answers 201 with the fields of the specification and the events, and never the secret', async () => {
    const ada = await createAgent(suite.t);
    const made = await create(ada, { secret: SECRET });
    assert.equal(made.status, 201);
    const { id, created_at, ...rest } = made.body;
    assert.match(id, /^wh_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(created_at, '2026-01-14T12:00:00.000Z');
    assert.deepEqual(rest, {
      address: ada.address,
      url: URL,
      has_secret: true,
      events: ['email.received'],
      status: 'active',
      disabled_reason: null,
      failing_since: null,
      paused: false,
      paused_reason: null,
    });
    const list = await ada.api.get(PATH);
    assert.deepEqual(list.body, { webhooks: [made.body], count: 1 });
    assert.ok(!made.text.includes(SECRET) && !list.text.includes(SECRET));
  });

  it('accepts a bare name, and shows has_secret false without a secret', async () => {
    const ada = await createAgent(suite.t);
    const name = ada.address.split('@')[0]?.toUpperCase();
    const { body } = await create(ada, { address: name, events: ['email.received'] });
    assert.equal(body.address, ada.address);
    assert.equal(body.has_secret, false);
  });

  it('refuses a URL that is not http or https, or has a user name or password, with 400 invalid_request', async () => {
    const ada = await createAgent(suite.t);
    const urls = [
      'nonsense', '/hook', '', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://', 'http:example\n.com',
      'http://user@example.com/', 'http://user:pw@example.com/', 'https://:pw@example.com/', ' http://example.com/',
      'http:\\\\example.com', 'http://exa mple.com/', `http://example.com/${'a'.repeat(2048)}`,
    ]; // biome-ignore format: a table reads best filled.
    for (const url of urls) {
      const refused = await create(ada, { url });
      assert.equal(refused.status, 400, url);
      assert.equal(refused.body.details[0].path, '/body/url', url);
    }
    for (const fields of [{ secret: '' }, { events: [] }, { events: ['key.rotated'] }, { secret: 'x'.repeat(257) }])
      assert.equal((await create(ada, fields)).status, 400, JSON.stringify(fields));
    assert.equal((await create(ada, { address: 'a..b' })).body.error, 'invalid_address');
    assert.equal((await ada.api.get(PATH)).body.count, 0);
  });

  it('refuses another account’s address with 403 address_forbidden and an unclaimed one with 404', async () => {
    const [ada, eve] = [await createAgent(suite.t), await createAgent(suite.t)];
    const refused = await create(eve, { address: ada.address });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error, 'address_forbidden');
    assert.equal((await create(eve, { address: 'nobody-has-this' })).status, 404);
    assert.equal((await eve.api.get(`${PATH}?address=${ada.address}`)).body.count, 0);
  });

  it('lists the webhooks of one address', async () => {
    const ada = await createAgent(suite.t);
    const other = (await ada.api.post('/v1/email/claim', { address: `hook-${names++}` })).body.address;
    const { id } = (await create(ada)).body;
    await create(ada, { address: other });
    assert.equal((await ada.api.get(PATH)).body.count, 2);
    const { webhooks } = (await ada.api.get(`${PATH}?address=${ada.address}`)).body;
    assert.deepEqual(
      webhooks.map((webhook: { id: string }) => webhook.id),
      [id],
    );
    assert.equal((await ada.api.get(`${PATH}?address=a..b`)).body.error, 'invalid_address');
  });

  it('disappears with its deliveries after deletion, and nothing more is sent', async (context) => {
    const { t } = suite;
    const receiver = await startReceiver(answer(200));
    context.after(receiver.close);
    const ada = await createAgent(t);
    const { id } = (await create(ada, { url: receiver.url })).body;
    await t.sendSmtp({ to: ada.address });
    await receiver.waitFor(1);
    await t.app.worker.runDue();
    assert.deepEqual((await ada.api.delete(`${PATH}/${id}`)).body, { deleted: true, id });
    await t.sendSmtp({ to: ada.address });
    await t.app.provided.intake.idle();
    await t.app.worker.runDue();
    assert.equal(receiver.received.length, 1);
    assert.equal((await ada.api.get(PATH)).body.count, 0);
    assert.equal((await ada.api.get(`${PATH}/${id}/deliveries`)).status, 404);
    assert.equal((await t.sql('select id from webhook_deliveries where webhook_id = ?', id)).length, 0);
  });
});

onEngines('both', 'webhooks', {}, (suite) => {
  it('creates 20 of 30 in parallel and refuses the others with 403 webhook_limit, and one more after a deletion', async () => {
    const ada = await createAgent(suite.t);
    const replies = await Promise.all(Array.from({ length: 30 }, () => create(ada)));
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 20);
    assert.ok(replies.every(({ status, body }) => status === 201 || body.error === 'webhook_limit'));
    const id = made[0]?.body.id;
    const deletions = await Promise.all([1, 2, 3].map(() => ada.api.delete(`${PATH}/${id}`)));
    assert.deepEqual(deletions.map(({ status }) => status).sort(), [200, 404, 404]);
    assert.equal((await create(ada)).status, 201);
    assert.equal((await create(ada)).status, 403);
  });
});

type Call = (api: Api, id: string, deliveryId: string) => Promise<ApiReply>;
const OF_ONE: Record<string, Call> = {
  'DELETE /v1/email/webhooks/{id}': (api, id) => api.delete(`${PATH}/${id}`),
  'GET /v1/email/webhooks/{id}/deliveries': (api, id) => api.get(`${PATH}/${id}/deliveries`),
  'POST /v1/email/webhooks/{id}/deliveries/{delivery_id}/retry': (api, id, deliveryId) =>
    api.post(`${PATH}/${id}/deliveries/${deliveryId}/retry`),
  'POST /v1/email/webhooks/{id}/rotate-secret': (api, id) => api.post(`${PATH}/${id}/rotate-secret`),
  'POST /v1/email/webhooks/{id}/test': (api, id) => api.post(`${PATH}/${id}/test`),
};

onEngines('any', 'webhooks of another account', {}, (suite) => {
  it('are tested on every route of a webhook', () => {
    const routes = suite.t.app.endpoints.filter(({ path }) => path.startsWith(`${PATH}/{id}`));
    assert.deepEqual(routes.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(OF_ONE).sort());
  });

  it('answer 403 webhook_forbidden, an unknown webhook 404 and no key 401, and nothing changes', async () => {
    const [ada, eve] = [await createAgent(suite.t), await createAgent(suite.t)];
    const { id } = (await create(ada)).body;
    const { body: ping } = await ada.api.post(`${PATH}/${id}/test`);
    await suite.t.app.worker.runDue();
    const state = async (): Promise<string[]> => [
      (await ada.api.get(PATH)).text,
      (await ada.api.get(`${PATH}/${id}/deliveries`)).text,
    ];
    const before = await state();
    for (const [route, call] of Object.entries(OF_ONE)) {
      const forbidden = await call(eve.api, id, ping.id);
      assert.equal(forbidden.status, 403, route);
      assert.equal(forbidden.body.error, 'webhook_forbidden', route);
      assert.equal((await call(eve.api, `wh_${'0'.repeat(26)}`, ping.id)).status, 404, route);
      assert.equal((await call(eve.api, 'nonsense', ping.id)).status, 404, route);
      assert.equal((await call(suite.t.api(), id, ping.id)).status, 401, route);
    }
    assert.deepEqual(await state(), before);
  });

  it('do not give access to a delivery of this one', async () => {
    const [ada, eve] = [await createAgent(suite.t), await createAgent(suite.t)];
    const { id } = (await create(ada)).body;
    const { body: ping } = await ada.api.post(`${PATH}/${id}/test`);
    const mine = (await create(eve)).body.id;
    for (const deliveryId of [ping.id, `dlv_${'0'.repeat(26)}`, 'nonsense'])
      assert.equal((await eve.api.post(`${PATH}/${mine}/deliveries/${deliveryId}/retry`)).status, 404);
  });
});

/** The service's public address is not the one it listens at. */
const port = await freePort();
const publicly = { env: { BASE_URL: 'https://signet.example.com', PORT: String(port) } };

async function publicAgent(): Promise<TestAgent> {
  const here = `http://127.0.0.1:${port}`;
  const { api_key: key, account_id: accountId } = (await createApi(here).post('/v1/auth/keys', {})).body;
  const api = createApi(here, key);
  const { address } = (await api.post('/v1/email/claim', { address: `hook-${names++}` })).body;
  return { key, accountId, api, address };
}

onEngines('any', 'webhooks of a public service', publicly, (suite) => {
  it('are refused with 400 if the URL is not on the public internet', async () => {
    const ada = await publicAgent();
    for (const host of [
      '127.0.0.1', '2130706433', '0x7f000001', '0177.1', '017700000001', '127.1', '127.0.0.1.', '127.0.0.1:8080', '0.0.0.0', '0',
      'localhost', 'localhost.', 'a.localhost', '10.0.0.1', '169.254.169.254', '0xa9fea9fe', '100.64.0.1', '[::]', '[::1]', '[::1]:443',
      '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[fc00::1]', '[fe80::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '１２７.０.０.１',
    ] /* biome-ignore format: a table reads best filled. */) {
      const refused = await create(ada, { url: `http://${host}/hook` });
      assert.equal(refused.status, 400, host);
      assert.deepEqual(refused.body.details[0].code, 'not_allowed', host);
    }
    const withUser = await create(ada, { url: 'http://example.com@127.0.0.1/hook' });
    assert.deepEqual([withUser.status, withUser.body.details[0].path], [400, '/body/url']);
    assert.equal((await create(ada, { url: 'https://example.com/hook' })).status, 201);
  });

  it('check the address again at every connection', async (context) => {
    const { t } = suite;
    const receiver = await startReceiver(answer(200));
    context.after(receiver.close);
    const ada = await publicAgent();
    const { id } = (await create(ada, { url: 'https://example.com/hook' })).body;
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']) {
      // Simulates a name that resolved elsewhere at creation.
      await t.sql('update webhooks set url = ? where id = ?', `http://${host}:${receiver.port}/`, id);
      await ada.api.post(`${PATH}/${id}/test`);
      await t.app.worker.runDue();
      const [{ status, error }] = (await ada.api.get(`${PATH}/${id}/deliveries`)).body.deliveries;
      assert.deepEqual([status, error], ['failed', 'host_refused'], host);
    }
    assert.equal(receiver.received.length, 0);
  });
});
