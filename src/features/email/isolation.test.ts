import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Api, type ApiReply, onBothDatabases, type TestAccount, type TestApp } from '../../../test/harness.ts';

type Agent = TestAccount & { address: string; messageId: string };
let names = 0;

/** An agent with a mail that has an attachment, and one it has sent. */
async function agent(t: TestApp): Promise<Agent> {
  const account = await t.createAccount();
  const { address } = (await account.api.post('/v1/email/claim', { address: `island-${names++}` })).body;
  const attachments = [{ filename: 'a.txt', content: 'attached secret' }];
  await t.sendSmtp({ to: address, subject: 'secret subject', text: 'secret body', attachments });
  const { messages } = (await account.api.get(`/v1/email/inbox?address=${address}`)).body;
  await account.api.post('/v1/email/send', { from: address, to: 'x@example.com', subject: 'sent secret', text: 'x' });
  return { ...account, address, messageId: messages[0].message_id };
}

type Call = (api: Api, of: Agent) => Promise<ApiReply>;

/** Every route of mail that names an inbox, and what a stranger hears from it. */
const ROUTES: Record<string, [Call, string]> = {
  'POST /v1/email/claim': [(api, { address }) => api.post('/v1/email/claim', { address }), 'address_unavailable'],
  'GET /v1/email/inbox': [(api, { address }) => api.get(`/v1/email/inbox?address=${address}`), 'address_forbidden'],
  'GET /v1/email/messages/{id}': [(api, of) => api.get(messagePath(of)), 'address_forbidden'],
  'GET /v1/email/messages/{id}/raw': [(api, of) => api.get(messagePath(of, '/raw')), 'address_forbidden'],
  'GET /v1/email/messages/{id}/attachments/{n}': [
    (api, of) => api.get(messagePath(of, '/attachments/0')),
    'address_forbidden',
  ],
  'PATCH /v1/email/messages/{id}': [
    (api, of) => api.patch(messagePath(of), { read: true, archived: true }),
    'address_forbidden',
  ],
  'DELETE /v1/email/messages/{id}': [(api, of) => api.delete(messagePath(of)), 'address_forbidden'],
  'POST /v1/email/send': [
    (api, { address }) => api.post('/v1/email/send', { from: address, to: address, subject: 's', text: 'x' }),
    'sender_not_owned',
  ],
  'POST /v1/inbox': [(api, { address }) => api.post('/v1/inbox', { name: address }), 'address_unavailable'],
  'GET /v1/inbox/{address}': [(api, { address }) => api.get(`/v1/inbox/${address}`), 'address_forbidden'],
  'GET /v1/inbox/{address}/messages/{id}': [
    (api, { address, messageId }) => api.get(`/v1/inbox/${address}/messages/${messageId}`),
    'address_forbidden',
  ],
  'POST /v1/inbox/{address}/send': [
    (api, { address }) => api.post(`/v1/inbox/${address}/send`, { to: address, subject: 's', body: 'x' }),
    'sender_not_owned',
  ],
};

/** Routes that show the caller’s own things alone. */
const OWN: Record<string, Call> = {
  'GET /v1/email/addresses': (api) => api.get('/v1/email/addresses'),
  'GET /v1/email/outbox': (api) => api.get('/v1/email/outbox'),
};

function messagePath({ address, messageId }: Agent, part = ''): string {
  return `/v1/email/messages/${messageId}${part}?address=${address}`;
}

/** What the owner sees; must be the same after every attempt of others. */
const stateOf = async ({ api, address }: Agent): Promise<string[]> => [
  (await api.get(`/v1/email/inbox?address=${address}`)).text,
  (await api.get('/v1/email/outbox')).text,
  (await api.get('/v1/email/addresses')).text,
  (await api.get(`/v1/inbox/${address}?unread=true`)).text,
];

onBothDatabases('a mailbox and strangers', {}, (suite) => {
  it('this test knows every route of mail', () => {
    const { endpoints } = suite.t.app;
    // Webhooks have an isolation test of their own.
    const isMail = /^\/v1\/(email\/(?!webhooks)|inbox)/;
    const mail = endpoints.filter(({ path }) => isMail.test(path));
    const known = [...Object.keys(ROUTES), ...Object.keys(OWN)];
    assert.deepEqual(mail.map(({ method, path }) => `${method} ${path}`).sort(), known.sort());
  });

  it('another account’s key: refused by every route, told nothing, and nothing has changed', async () => {
    const { t } = suite;
    const ada = await agent(t);
    await t.outboxMails();
    const before = await stateOf(ada);
    const { api } = await t.createAccount();
    for (const [route, [call, code]] of Object.entries(ROUTES)) {
      const { status, body, text } = await call(api, ada);
      assert.ok(status === 403 || status === 409, `${route}: ${status}`);
      assert.deepEqual([route, body.error], [route, code]);
      assert.doesNotMatch(text, /secret/);
    }
    for (const [route, call] of Object.entries(OWN)) {
      const { status, body } = await call(api, ada);
      assert.deepEqual([route, status, body.count], [route, 200, 0]);
    }
    assert.deepEqual(await stateOf(ada), before);
  });

  it('another account’s message id in one’s own inbox is a missing one', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const eve = await agent(t);
    const mixed = { ...eve, messageId: ada.messageId };
    for (const [route, [call]] of Object.entries(ROUTES)) {
      if (!route.includes('{id}')) continue;
      const { status, body } = await call(eve.api, mixed);
      assert.deepEqual([route, status, body.error], [route, 404, 'not_found']);
    }
  });

  it('a revoked key, a made-up one and none: 401 from every route; revoked and made-up sound alike', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const { api_key: current } = (await ada.api.post('/v1/auth/keys/rotate')).body;
    await t.outboxMails();
    const owner = { ...ada, api: t.api(current) };
    const before = await stateOf(owner);
    const calls = [...Object.entries(ROUTES).map(([route, [call]]) => [route, call] as const), ...Object.entries(OWN)];
    const texts = new Set<string>();
    for (const [route, call] of calls) {
      for (const api of [ada.api, t.api(`signet_live_${'0'.repeat(38)}`)]) {
        const { status, text } = await call(api, ada);
        assert.deepEqual([route, status], [route, 401]);
        texts.add(text);
      }
      assert.equal((await call(t.api(), ada)).status, 401, route);
    }
    assert.equal(texts.size, 1);
    assert.deepEqual(await stateOf(owner), before);
  });
});
