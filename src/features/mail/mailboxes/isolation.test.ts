import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type Api,
  type ApiReply,
  onEngines,
  type TestAccount,
  type TestApp,
} from '../../../../test/support/harness.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, keyPrefix, mintKey } from '../../../base/secret.ts';

type Agent = TestAccount & { address: string; messageId: string; threadId: string; draftId: string; sentId: string };
let names = 0;

/** An agent with a mail that has an attachment, and one it has sent. */
async function agent(t: TestApp, account?: TestAccount): Promise<Agent> {
  return withMail(t, account ?? (await t.createAccount()));
}

/** A pod of the account: an account with a parent. */
async function podOf(t: TestApp, { accountId: parent }: TestAccount): Promise<TestAccount> {
  const key = mintKey('pod');
  const accountId = newId('acc', t.clock.now());
  await t.sql(
    `insert into accounts (id, parent_id, tier, status, capabilities, created_at) values (?, ?, 'free', 'active', '[]', ?)`,
    ...[accountId, parent, t.clock.now()],
  );
  await t.sql(
    `insert into api_keys (hash, account_id, kind, status, prefix, created_at, activated_at)
     values (?, ?, 'pod', 'active', ?, ?, ?)`,
    ...[hashSecret(key), accountId, keyPrefix(key, 'pod'), t.clock.now(), t.clock.now()],
  );
  await new Promise((resolve) => setImmediate(resolve));
  return { key, accountId, api: t.api(key) };
}

async function withMail(t: TestApp, account: TestAccount): Promise<Agent> {
  const { address } = (await account.api.post('/v1/email/claim', { address: `island-${names++}` })).body;
  const attachments = [{ filename: 'a.txt', content: 'attached secret' }];
  await t.sendSmtp({ to: address, subject: 'secret subject', text: 'secret body', attachments });
  const { messages } = (await account.api.get(`/v1/email/inbox?address=${address}`)).body;
  const mail = { from: address, to: 'x@example.com', subject: 'sent secret', text: 'x' };
  const sentId = (await account.api.post('/v1/email/send', mail)).body.id;
  const draft = { from: address, to: 'x@example.com', subject: 'draft secret', text: 'x' };
  const draftId = (await account.api.post('/v1/email/drafts', draft)).body.draft_id;
  return { ...account, address, messageId: messages[0].message_id, threadId: messages[0].thread_id, draftId, sentId };
}

type Call = (api: Api, of: Agent) => Promise<ApiReply>;

/** Every route of mail that names an inbox, and its answer to another account. */
const ROUTES: Record<string, [Call, string]> = {
  'POST /v1/email/claim': [(api, { address }) => api.post('/v1/email/claim', { address }), 'address_unavailable'],
  'GET /v1/email/inbox': [(api, { address }) => api.get(`/v1/email/inbox?address=${address}`), 'address_forbidden'],
  'GET /v1/email/threads': [(api, { address }) => api.get(`/v1/email/threads?address=${address}`), 'address_forbidden'],
  'GET /v1/email/wait': [(api, { address }) => api.get(`/v1/email/wait?address=${address}`), 'address_forbidden'],
  'GET /v1/email/messages/{id}': [(api, of) => api.get(messagePath(of)), 'address_forbidden'],
  'GET /v1/email/messages/{id}/raw': [(api, of) => api.get(messagePath(of, '/raw')), 'address_forbidden'],
  'GET /v1/email/messages/{id}/attachments/{n}': [
    (api, of) => api.get(messagePath(of, '/attachments/0')),
    'address_forbidden',
  ],
  'POST /v1/email/messages/{id}/pictures': [
    (api, of) => api.post(messagePath(of, '/pictures'), { urls: ['https://pictures.example/a.png'] }),
    'address_forbidden',
  ],
  'PATCH /v1/email/messages/{id}': [
    (api, of) => api.patch(messagePath(of), { read: true, archived: true }),
    'address_forbidden',
  ],
  'DELETE /v1/email/messages/{id}': [(api, of) => api.delete(messagePath(of)), 'address_forbidden'],
  'POST /v1/email/messages/{id}/reply': [
    (api, of) => api.post(messagePath(of, '/reply'), { text: 'x' }),
    'address_forbidden',
  ],
  'POST /v1/email/messages/{id}/reply_all': [
    (api, of) => api.post(messagePath(of, '/reply_all'), { text: 'x' }),
    'address_forbidden',
  ],
  'POST /v1/email/messages/{id}/forward': [
    (api, of) => api.post(messagePath(of, '/forward'), { to: 'x@example.com' }),
    'address_forbidden',
  ],
  'POST /v1/email/drafts': [
    (api, { address }) => api.post('/v1/email/drafts', { from: address, text: 'x' }),
    'sender_not_owned',
  ],
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

const MISSING_DRAFT = 'drf_00000000000000000000000000';
const draftOf = ({ draftId }: Agent): string => draftId;
const MISSING_THREAD = 'thr_00000000000000000000000000';

/** Routes that answer another account’s thing as a missing one, byte for byte. `of`: the thing of an agent. */
const BY_ID: Record<
  string,
  { call: (api: Api, id: string) => Promise<ApiReply>; of: (agent: Agent) => string; missing: string }
> = {
  'GET /v1/email/threads/{id}': {
    call: (api, id) => api.get(`/v1/email/threads/${id}`),
    of: ({ threadId }) => threadId,
    missing: MISSING_THREAD,
  },
  'PATCH /v1/email/threads/{id}': {
    call: (api, id) => api.patch(`/v1/email/threads/${id}`, { read: true, labels: ['x'] }),
    of: ({ threadId }) => threadId,
    missing: MISSING_THREAD,
  },
  'GET /v1/email/outbox/{id}': {
    call: (api, id) => api.get(`/v1/email/outbox/${id}`),
    of: ({ sentId }) => sentId,
    // Of the time of the tests: one of long ago is no longer kept, whoever asks.
    missing: 'out_01key610g00000000000000000',
  },
  'GET /v1/email/drafts/{id}': {
    call: (api, id) => api.get(`/v1/email/drafts/${id}`),
    of: draftOf,
    missing: MISSING_DRAFT,
  },
  'PATCH /v1/email/drafts/{id}': {
    call: (api, id) => api.patch(`/v1/email/drafts/${id}`, { text: 'y' }),
    of: draftOf,
    missing: MISSING_DRAFT,
  },
  'DELETE /v1/email/drafts/{id}': {
    call: (api, id) => api.delete(`/v1/email/drafts/${id}`),
    of: draftOf,
    missing: MISSING_DRAFT,
  },
  'POST /v1/email/drafts/{id}/send': {
    call: (api, id) => api.post(`/v1/email/drafts/${id}/send`),
    of: draftOf,
    missing: MISSING_DRAFT,
  },
  'PATCH /v1/email/addresses/{address}': {
    call: (api, address) => api.patch(`/v1/email/addresses/${address}`, { display_name: 'x' }),
    of: ({ address }) => address,
    missing: 'nobody-has-it@agents.localhost',
  },
  'DELETE /v1/email/addresses/{address}': {
    call: (api, address) => api.delete(`/v1/email/addresses/${address}`),
    of: ({ address }) => address,
    missing: 'nobody-has-it@agents.localhost',
  },
};

/** Routes that show the caller’s own things alone. */
const OWN: Record<string, Call> = {
  'GET /v1/email/addresses': (api) => api.get('/v1/email/addresses'),
  'GET /v1/email/outbox': (api) => api.get('/v1/email/outbox'),
  'GET /v1/email/drafts': (api) => api.get('/v1/email/drafts'),
};

function messagePath({ address, messageId }: Agent, part = ''): string {
  return `/v1/email/messages/${messageId}${part}?address=${address}`;
}

/** What the owner sees; must be the same after every attempt of others. */
const stateOf = async ({ api, address }: Agent): Promise<string[]> => [
  (await api.get(`/v1/email/inbox?address=${address}`)).text,
  (await api.get('/v1/email/outbox')).text,
  (await api.get('/v1/email/drafts')).text,
  (await api.get('/v1/email/addresses')).text,
  (await api.get(`/v1/inbox/${address}?unread=true`)).text,
  (await api.get(`/v1/email/threads?address=${address}`)).text,
];

onEngines('any', 'isolation of mailboxes', {}, (suite) => {
  it('this test covers every route of mail', () => {
    const { endpoints } = suite.t.app;
    // These have isolation tests of their own; calls about the E2E key name nothing but the caller’s account.
    const isElsewhere = /^\/v1\/(e2e|email\/(webhooks|policy|quarantine|reviews|suppressions))/;
    const isMail = /^\/v1\/(email\/|inbox)/;
    const mail = endpoints.filter(
      ({ path, tag }) => !isElsewhere.test(path) && (isMail.test(path) || /^(Email|Inbox)$/.test(tag)),
    );
    const known = [...Object.keys(ROUTES), ...Object.keys(BY_ID), ...Object.keys(OWN)];
    assert.deepEqual(mail.map(({ method, path }) => `${method} ${path}`).sort(), known.sort());
  });

  /** Tries every route on what is another’s. */
  async function tryAll(t: TestApp, api: Api, ada: Agent): Promise<void> {
    await t.outboxMails();
    const before = await stateOf(ada);
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
    for (const [route, { call, of, missing }] of Object.entries(BY_ID)) {
      const foreign = await call(api, of(ada));
      assert.deepEqual([route, foreign.status, foreign.text], [route, 404, (await call(api, missing)).text]);
    }
    assert.deepEqual(await stateOf(ada), before);
  }

  it('every route refuses the key of another account, reveals nothing and changes nothing', async () => {
    const { t } = suite;
    const ada = await agent(t);
    await tryAll(t, (await t.createAccount()).api, ada);
  });

  it('refuses pod and platform keys on each other’s mailboxes, and one pod’s key on another’s', async () => {
    const { t } = suite;
    const platform = await agent(t);
    const [pod, sibling] = [await podOf(t, platform), await podOf(t, platform)];
    await tryAll(t, pod.api, platform);
    const podMail = await agent(t, sibling);
    await tryAll(t, pod.api, podMail);
    const bare = await t.createAccount();
    await tryAll(t, bare.api, await agent(t, await podOf(t, bare)));
  });

  it('a message id of another account is not found in the caller’s inbox', async () => {
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

  it('every route answers 401 to a revoked, invented or missing key; revoked and invented keys get equal answers', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const { api_key: current } = (await ada.api.post('/v1/auth/keys/rotate')).body;
    await t.outboxMails();
    const owner = { ...ada, api: t.api(current) };
    const before = await stateOf(owner);
    const calls = [
      ...Object.entries(ROUTES).map(([route, [call]]) => [route, call] as const),
      ...Object.entries(BY_ID).map(([route, { call, of }]) => [route, (api: Api) => call(api, of(ada))] as const),
      ...Object.entries(OWN),
    ];
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
