import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { WebSocket } from 'ws';
import { type PlantedMail, plantedMails } from '../../../../../test/corpus/codes/planted.ts';
import { confirmOperator, createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { delegate, tokenFor } from '../../../../../test/support/delegations.ts';
import { IS_FULL_RUN } from '../../../../../test/support/full-run.ts';
import { type Api, onEngines, type Suite, type TestApp } from '../../../../../test/support/harness.ts';
import { mcpClient } from '../../../../../test/support/mcp.ts';
import { allow, askFor, redeem, registerClient } from '../../../../../test/support/oauth-client.ts';
import { newPerson, twoAgents } from '../../../../../test/support/operators.ts';
import { bearer, frames, wsUrl } from '../../../../../test/support/stream-client.ts';
import { answer, startReceiver, WEBHOOKS } from '../../../../../test/support/webhook-receiver.ts';

const LIMITS = {
  free: { emails_per_day: 1000, emails_per_hour: 1000, requests_per_day: 100_000 },
};
const HELPER = ['mail:read', 'mail:send', 'mail:manage', 'events:read', 'webhooks:manage'];

const plain = (text: string): string =>
  text
    // Ids and times are digits by chance.
    .replace(/\b(?:msg|thr|out|ev|dlv|wh|drf|mail|acc|req|dlg|key)_[0-9a-z]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, ' ')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\n"]/gu, '')
    .toLowerCase();

/** The secrets that a text shows. Codes are found however they are spaced. */
function shownIn(text: string, secrets: readonly string[]): string[] {
  const seen = plain(text);
  return secrets.filter((secret) => seen.includes(plain(secret)));
}

interface World {
  agent: TestAgent;
  mails: readonly PlantedMail[];
  secrets: string[];
  ids: string[];
  /** A mail with a file, and one whose code is found. */
  withFile: string;
  outboxId: string;
  draftId: string;
  keyOf(scopes: readonly string[]): Promise<string>;
}

async function plant(t: TestApp): Promise<World> {
  const agent = await createAgent(t);
  const mails = plantedMails();
  for (const { subject, text, html, sender, attachments } of mails)
    await t.sendSmtp({
      to: agent.address,
      subject,
      ...(text === undefined ? {} : { text }),
      ...(html === undefined ? {} : { html }),
      ...(attachments === undefined ? {} : { attachments }),
      ...(sender === undefined ? {} : { headers: { from: `"${sender}" <a@harbor.example>` } }),
    });
  await t.app.provided.intake.idle();
  const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}&limit=100&wait=60`)).body;
  assert.equal(messages.length, mails.length);
  // What was sent and drafted may quote what came.
  const quote = { from: agent.address, to: 'b@example.net', subject: 'Fwd 9917725', text: 'It says 9917726.' };
  const { id: outboxId } = (await agent.api.post('/v1/email/send', quote)).body;
  const files = [{ filename: 'x-9917727.txt', content: 'eA==' }];
  const draft = (await agent.api.post('/v1/email/drafts', { ...quote, attachments: files })).body;
  // A conversation with an answer.
  const answered = await agent.api.post(`/v1/email/messages/${messages[3].message_id}/reply`, { text: 'Use 9917728.' });
  assert.equal(answered.status, 201, answered.text);
  // One that an operator holds.
  await confirmOperator(t, agent, newPerson(t));
  await agent.api.put('/v1/email/policy', { outbound: { hold: 'always' } });
  const held = await agent.api.post('/v1/email/send', { ...quote, subject: 'Fwd 9917729' });
  assert.equal(held.status, 202, held.text);
  await agent.api.put('/v1/email/policy', { outbound: { hold: 'never' } });
  const keyOf = async (scopes: readonly string[]): Promise<string> =>
    (await agent.api.post('/v1/account/keys', { name: 'helper', scopes })).body.api_key;
  const quoted = ['9917725', '9917726', '9917727', '9917728', '9917729'];
  return {
    agent,
    mails,
    secrets: [...mails.flatMap(({ secrets }) => secrets), ...quoted],
    ids: messages.map(({ message_id }: { message_id: string }) => message_id),
    withFile: messages.find(({ has_attachments: has }: { has_attachments: boolean }) => has).message_id,
    outboxId,
    draftId: draft.draft_id,
    keyOf,
  };
}

/** Each call that answers with mail, by its operation. */
const doorsOf = ({ agent: { address }, ids, outboxId, draftId }: World, threads: readonly string[]) => {
  const query = `address=${address}`;
  const each = (path: (id: string) => string): string[] => ids.map(path);
  return {
    listInbox: [`/v1/email/inbox?${query}&limit=100`],
    getInbox: [`/v1/inbox/${address}?limit=100`],
    getMessage: [
      ...each((id) => `/v1/email/messages/${id}?${query}&include=hidden`),
      ...each((id) => `/v1/email/messages/${id}?${query}&format=llm`),
    ],
    getInboxMessage: each((id) => `/v1/inbox/${address}/messages/${id}`),
    listThreads: [`/v1/email/threads?${query}&limit=100`],
    getThread: threads.map((id) => `/v1/email/threads/${id}`),
    waitForMail: [`/v1/email/wait?${query}&after=2020-01-01T00:00:00Z`],
    listOutbox: ['/v1/email/outbox'],
    getSentEmail: [`/v1/email/outbox/${outboxId}`],
    listDrafts: ['/v1/email/drafts'],
    getDraft: [`/v1/email/drafts/${draftId}`],
    listEvents: ['/v1/events?limit=200'],
    listReviews: ['/v1/email/reviews'],
  };
};

/** Calls of these scopes that show no mail, or that the other tests try. */
const OTHERS = [
  ...['listAddresses', 'getMailPolicy', 'listSuppressions', 'getSuppression'],
  ...['getRawMessage', 'getAttachment', 'streamEvents'],
];

async function threadsOf({ api, address }: TestAgent): Promise<string[]> {
  const { threads } = (await api.get(`/v1/email/threads?address=${address}&limit=100`)).body;
  return threads.map(({ thread_id }: { thread_id: string }) => thread_id);
}

async function delegatedTokens(t: TestApp, { api }: TestAgent): Promise<string[]> {
  const [friend, other] = [await t.createAccount(), await t.createAccount()];
  const scopes = HELPER.filter((scope) => scope !== 'webhooks:manage');
  const given = await delegate(t, api, friend, { scopes, may_delegate: 1 });
  const { access_token: token } = await tokenFor(t, friend.key, given.id);
  const passed = await delegate(t, t.api(token), other, { scopes });
  return [token, (await tokenFor(t, other.key, passed.id)).access_token];
}

function section5(suite: Suite): void {
  let world: World;
  before(async () => {
    world = await plant(suite.t);
  });

  it('the detector finds no code in ten of the mails that hold one', async () => {
    const { api } = world.agent;
    const { events } = (await api.get('/v1/events?type=email.received&limit=200')).body;
    const ofMails = events.filter(({ data }: { data: { message_id: string } }) => world.ids.includes(data.message_id));
    assert.equal(ofMails.length, world.mails.length);
    assert.ok(world.mails.length >= 40);
    const missed = ofMails.slice(0, 10).filter(({ data }: { data: { has_code: boolean } }) => !data.has_code);
    assert.equal(missed.length, 10);
  });

  it('without mail:codes no door shows a code or link; each door shows some to a key that names it', async () => {
    const { t } = suite;
    const doors = doorsOf(world, await threadsOf(world.agent));
    const reading = t.app.endpoints.filter(
      ({ method, scope, wholeAccount }) =>
        method === 'GET' && !wholeAccount && (scope === 'mail:read' || scope === 'events:read'),
    );
    const untried = reading.map(({ operation }) => operation).filter((one) => !(one in doors || OTHERS.includes(one)));
    assert.deepEqual(untried, [], 'a new way to read mail belongs into this test');
    const seeing = t.api(await world.keyOf([...HELPER, 'mail:codes']));
    const blind = [await world.keyOf(HELPER), ...(await delegatedTokens(t, world.agent))].map((key) => t.api(key));
    for (const [operation, paths] of Object.entries(doors)) {
      const read = async (api: Api): Promise<string> => {
        const replies = [];
        for (const path of paths) {
          const { status, text } = await api.get(path);
          assert.equal(status, 200, `${path}: ${text}`);
          replies.push(text);
        }
        return replies.join('\n');
      };
      assert.notDeepEqual(
        shownIn(await read(seeing), world.secrets),
        [],
        `${operation} shows codes to who may see them`,
      );
      for (const api of blind) {
        const text = await read(api);
        assert.deepEqual(shownIn(text, world.secrets), [], operation);
        assert.match(text, /"masked":true|^masked: true$/m, operation);
      }
    }
  });

  it('a masked mail keeps its words, dates and prices; one that was not read shows its sender and date', async () => {
    const { t } = suite;
    const api = t.api(await world.keyOf(HELPER));
    const owner = await createAgent(t, {}, world.agent);
    const text =
      'Order 48-77120 of 18 November 2026 is $1,250.00. Call +1 415 555 0182, or see https://shop.example/o/1.';
    await t.sendSmtp({ to: owner.address, subject: 'Your code is 604118', text });
    const path = `/v1/email/inbox?address=${owner.address}&wait=60`;
    const { message_id: id } = (await owner.api.get(path)).body.messages[0];
    const read = async () => (await api.get(`/v1/email/messages/${id}?address=${owner.address}`)).body;
    const { body, subject, code, links, masked, html } = await read();
    const shown = 'Order ••• of 18 November 2026 is $1,250.00. Call +1 415 555 0182, or see https://shop.example/•••';
    assert.deepEqual([body.trim(), subject, code, masked, html], [shown, 'Your code is •••', null, true, null]);
    assert.deepEqual([links[0].url, links[0].host], ['https://shop.example/•••', 'shop.example']);
    await t.sql(
      "update mail_contents set state = 'failed' where id = (select content_id from messages where id = ?)",
      id,
    );
    const unread = await read();
    assert.deepEqual(
      [unread.from, unread.subject, unread.body, unread.text, unread.links],
      ['ada@example.com', '', '', '', []],
    );
    assert.ok(unread.received_at);
    const [listed] = (await api.get(path)).body.messages;
    assert.deepEqual([listed.from, listed.subject, listed.snippet, listed.masked], ['ada@example.com', '', '', true]);
  });

  it('raw, files, pictures, forward, wait?code=true and drafts of others are 403 with required_scope mail:codes', async () => {
    const { t } = suite;
    const { agent, withFile, draftId } = world;
    const query = `?address=${agent.address}`;
    const message = `/v1/email/messages/${withFile}`;
    const calls: [string, string, object?][] = [
      ['GET', `${message}/raw${query}`],
      ['GET', `${message}/attachments/0${query}`],
      ['POST', `${message}/pictures${query}`, { urls: ['https://harbor.example/p/jwkvqxzz'] }],
      ['POST', `${message}/forward`, { to: 'thief@example.net' }],
      ['GET', `/v1/email/wait${query}&code=true&after=2020-01-01T00:00:00Z`],
      ['PATCH', `/v1/email/drafts/${draftId}`, { to: 'thief@example.net' }],
      ['POST', `/v1/email/drafts/${draftId}/send`],
    ];
    const blind = [await world.keyOf(HELPER), ...(await delegatedTokens(t, agent))];
    for (const key of blind)
      for (const [method, path, body] of calls) {
        const reply = await t.api(key)(method, path, body);
        const refused = [reply.status, reply.body.error, reply.body.required_scope];
        assert.deepEqual(refused, [403, 'insufficient_scope', 'mail:codes'], `${method} ${path}`);
      }
    const seeing = t.api(await world.keyOf([...HELPER, 'mail:codes']));
    for (const [method, path, body] of calls.slice(0, 6))
      assert.equal((await seeing(method, path, body)).status < 300, true, `${method} ${path}`);
    const exported = await t
      .api(await world.keyOf([...HELPER, 'mail:codes', 'account:manage']))
      .get('/v1/account/export');
    assert.equal(exported.status, 403);
  });

  it('a helper writes, sees, changes and sends its own drafts; once another key wrote a code into one, no more', async () => {
    const { t } = suite;
    const { agent } = world;
    const api = t.api(await world.keyOf(HELPER));
    const draft = {
      from: agent.address,
      to: 'b@example.net',
      subject: 'Order 48112',
      text: 'See https://shop.example/o',
    };
    const made = (await api.post('/v1/email/drafts', draft)).body;
    const path = `/v1/email/drafts/${made.draft_id}`;
    assert.equal((await api.patch(path, { subject: 'Order 48113' })).body.subject, 'Order 48113');
    assert.equal((await api.get(path)).body.text, draft.text);
    assert.equal((await agent.api.patch(path, { subject: 'Order', text: 'No number' })).status, 200);
    assert.equal((await api.patch(path, { subject: 'An order' })).status, 200);
    assert.equal((await agent.api.patch(path, { text: 'It is 9917729' })).status, 200);
    assert.equal((await api.patch(path, { subject: 'x' })).body.required_scope, 'mail:codes');
    assert.equal((await api.get(path)).body.text, 'It is •••');
    const second = (await api.post('/v1/email/drafts', draft)).body;
    assert.equal((await api.post(`/v1/email/drafts/${second.draft_id}/send`)).status, 201);
  });

  it('an answer of a helper takes no code of the subject along', async () => {
    const { t } = suite;
    const owner = await createAgent(t, {}, world.agent);
    const other = await createAgent(t);
    await t.sendSmtp({ to: owner.address, subject: 'Use 3309183 now', text: 'x' });
    const { messages } = (await owner.api.get(`/v1/email/inbox?address=${owner.address}&wait=60`)).body;
    const api = t.api(await world.keyOf(HELPER));
    const path = `/v1/email/messages/${messages[0].message_id}/reply`;
    const sent = await api.post(path, { text: 'Yes', cc: other.address });
    assert.equal(sent.status, 201, sent.text);
    const got = (await other.api.get(`/v1/email/inbox?address=${other.address}&wait=60`)).body.messages;
    assert.equal(got[0].subject, 'Re: Use ••• now');
  });

  it('a search, a subject that is waited for and a cursor tell nothing of what is hidden', async () => {
    const { t } = suite;
    const { agent, secrets } = world;
    const api = t.api(await world.keyOf(HELPER));
    const seeing = t.api(await world.keyOf([...HELPER, 'mail:codes']));
    const search = (by: Api, q: string, limit = 1) =>
      by.get(`/v1/email/inbox?address=${agent.address}&limit=${limit}&q=${encodeURIComponent(q)}`);
    const nothing = (await search(api, 'qqqqqqqqqq')).body;
    assert.deepEqual([nothing.count, nothing.has_more], [0, false]);
    const forms: ((secret: string) => string)[] = [
      (secret) => `${secret.slice(0, 3)}*`,
      (secret) => `subject:${secret.slice(0, 4)}*`,
      (secret) => `from:${secret}`,
      (secret) => `"${secret}"`,
    ];
    let found = 0;
    for (const [at, secret] of secrets.entries())
      for (const q of [secret, forms[at % forms.length]?.(secret) as string]) {
        assert.deepEqual((await search(api, q)).body, nothing, q);
        found += (await search(seeing, q)).body.count;
      }
    assert.ok(found > secrets.length / 2, 'the same searches find mails for a key that may see codes');
    assert.equal((await search(api, 'remember subject:"remember"')).body.messages[0].subject, 'Remember •••');
    const pages: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await api.get(`/v1/inbox/${agent.address}?limit=3&q=account${cursor}`)).body;
      pages.push(...page.messages.map(({ id }: { id: string }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    const whole = (await search(seeing, 'account', 100)).body.messages;
    assert.deepEqual(pages.sort(), whole.map(({ message_id }: { message_id: string }) => message_id).sort());
    const waited = (by: Api) =>
      by.get(`/v1/email/wait?address=${agent.address}&after=2020-01-01T00:00:00Z&subject=3309182`);
    assert.equal((await waited(api)).body.message, null);
    assert.notEqual((await waited(seeing)).body.message, null);
  });

  it('streams, sockets and their tickets show what the list of events shows', async () => {
    const { t } = suite;
    const key = await world.keyOf(HELPER);
    const count = (await t.api(key).get('/v1/events?limit=200')).body.count;
    const first = 'ev_0000000000000'.padEnd(29, '0');
    const texts: string[] = [];
    const { ticket } = (await t.api(key).post('/v1/ws/tickets')).body;
    for (const socket of [
      new WebSocket(wsUrl(t, `?after=${first}`), bearer(key)),
      new WebSocket(wsUrl(t, `?after=${first}&ticket=${ticket}`)),
    ]) {
      texts.push(JSON.stringify(await frames(socket, count)));
      socket.terminate();
    }
    const gone = new AbortController();
    const { headers } = bearer(key);
    const stream = await fetch(`${t.baseUrl}/v1/events/stream?after=${first}`, { headers, signal: gone.signal });
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.split('\nevent: ').length > count) break;
    }
    gone.abort();
    for (const shown of [...texts, text]) {
      assert.deepEqual(shownIn(shown, world.secrets), []);
      assert.match(shown, /email\.received/);
    }
  });

  it('a webhook that a helper made, or turned to another URL, posts masked mail, also what is sent again', async (context) => {
    const { t } = suite;
    const owner = await createAgent(t, {}, world.agent);
    const api = t.api(await world.keyOf(HELPER));
    const receivers = [
      await startReceiver(answer(200)),
      await startReceiver(answer(200)),
      await startReceiver(answer(200)),
    ];
    for (const { close } of receivers) context.after(close);
    const [own, helpers, turned] = receivers as [(typeof receivers)[0], (typeof receivers)[0], (typeof receivers)[0]];
    const make = async (by: Api, url: string): Promise<string> =>
      (await by.post(WEBHOOKS, { address: owner.address, url })).body.id;
    const [first, second] = [await make(owner.api, own.url), await make(api, helpers.url)];
    context.after(() => t.sql('delete from webhooks where id in (?, ?)', first, second));
    await t.sendSmtp({ to: owner.address, subject: 'Remember 3309184', text: 'And 3309185.' });
    await t.app.provided.intake.idle();
    await t.app.worker.runDue();
    const secrets = ['3309184', '3309185'];
    assert.deepEqual(shownIn((await own.waitFor(1))[0]?.body ?? '', secrets), secrets);
    assert.deepEqual(shownIn((await helpers.waitFor(1))[0]?.body ?? '', secrets), []);
    assert.equal((await api.patch(`/v1/webhooks/${first}`, { url: turned.url })).status, 200);
    const { deliveries } = (await api.get(`${WEBHOOKS}/${first}/deliveries`)).body;
    const again = await api.post(`${WEBHOOKS}/${first}/deliveries/${deliveries[0].id}/retry`);
    assert.equal(again.status < 300, true, again.text);
    await t.app.worker.runDue();
    const [{ body = '' } = {}] = await turned.waitFor(1);
    assert.deepEqual(shownIn(body, secrets), []);
    assert.equal(JSON.parse(body).message.subject, 'Remember •••');
  });
}

onEngines(IS_FULL_RUN ? 'both' : 'any', 'a helper without mail:codes', { limits: LIMITS }, section5);

onEngines('any', 'mail:codes and clients of people', { limits: LIMITS }, (suite) => {
  it('a consent gives it only when its own box is named; without it no tool shows a code, and wait_for_code is none', async () => {
    const { t } = suite;
    const {
      operator,
      agents: [account],
    } = await twoAgents(t);
    const agent = await createAgent(t, {}, account);
    const secrets = ['604118', '4410981', 'qzxwvkjq'];
    const text = 'Your verification code is 604118. Door 4410981, https://harbor.example/v/qzxwvkjq';
    const attachments = [{ filename: 'x.txt', content: 'x' }];
    await t.sendSmtp({ to: agent.address, subject: 'Your code 604118', text, attachments });
    await agent.api.get(`/v1/email/inbox?address=${agent.address}&wait=60`);
    const clientWith = async (fields: object) => {
      const asking = askFor(await registerClient(t), { scope: 'mail:read mail:codes events:read' });
      const code = (await allow(operator, asking, { account_id: agent.accountId, ...fields })).get('code') as string;
      const { body } = await redeem(t, asking, code);
      return { client: mcpClient(t, body.access_token), scope: body.scope };
    };
    const blind = await clientWith({});
    const seeing = await clientWith({ scopes: ['mail:read', 'mail:codes', 'events:read'] });
    assert.equal(blind.scope, 'mail:read events:read');
    assert.equal((await blind.client.names()).includes('wait_for_code'), false);
    assert.equal((await seeing.client.names()).includes('wait_for_code'), true);
    const refused = await blind.client.tool('wait_for_code', { wait: 1 });
    assert.match(refused.answer.headers.get('www-authenticate') ?? '', /scope="mail:read mail:codes"/);
    const { data } = await seeing.client.tool('list_mail');
    const id = data.messages[0].message_id;
    const uses: [string, object][] = [
      ['list_mail', {}],
      ['search_mail', { q: 'verification' }],
      ['read_mail', { id }],
      ['wait_for_mail', { after: '2020-01-01T00:00:00Z', wait: 1 }],
      ['wait_for_event', { after: 'ev_0000000000000'.padEnd(29, '0'), type: 'email.received', wait: 1 }],
      ['call_operation', { id: 'listThreads', arguments: { address: agent.address } }],
    ];
    for (const [name, args] of uses) {
      const [hidden, shown] = [await blind.client.tool(name, { ...args }), await seeing.client.tool(name, { ...args })];
      assert.equal(hidden.isError, false, `${name}: ${hidden.answer.text}`);
      assert.deepEqual(shownIn(hidden.answer.text, secrets), [], name);
      assert.equal(shown.isError, false, name);
    }
    const { answer: read } = await seeing.client.tool('read_mail', { id });
    assert.deepEqual(shownIn(read.text, secrets), secrets);
    const uri = `${t.baseUrl}/v1/email/messages/${id}/attachments/0?address=${agent.address}`;
    const file = await blind.client.request('resources/read', { uri });
    assert.match(file.headers.get('www-authenticate') ?? '', /mail:codes/);
  });
});
