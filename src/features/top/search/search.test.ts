import assert from 'node:assert/strict';
import { it } from 'node:test';
import { measured } from '../../../../test/contract/work-meter.ts';
import { createAgent, suspend, type TestAgent } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { followLink, loginLinks, manyAgents, newPerson, twoAgents } from '../../../../test/support/operators.ts';
import type { Scope } from '../../../api/scopes.ts';

interface Result {
  kind: string;
  id: string;
  account_id: string;
  title: string;
  href: string;
  at: string;
}

const SEALED = { ciphertext: 'c2VhbGVkLXNlYWxlZC1zZWFsZWQtc2VhbGVk' };

async function search(api: Api, q: string, more = '', path = '/v1/search'): Promise<Result[]> {
  const { status, body, text } = await api.get(`${path}?q=${encodeURIComponent(q)}${more}`);
  assert.equal(status, 200, `${q}: ${text}`);
  return body.results;
}
const kindsOf = (results: readonly Result[]): string[] => [...new Set(results.map(({ kind }) => kind))].sort();

async function receive(t: TestApp, to: TestAgent, subject: string, text = 'Hello.'): Promise<void> {
  t.clock.advance(1000);
  await t.sendSmtp({ from: 'ada@elsewhere.example', to: to.address, subject, text });
  // Waits until the mail has been read.
  await to.api.get(`/v1/email/inbox?address=${to.address}`);
}

/** An agent that has one thing of every kind with this word in its name. */
async function everything(t: TestApp, word: string): Promise<TestAgent> {
  const agent = await createAgent(t, {}, await t.createAccount({ name: `${word} bot` }));
  const { api, address } = agent;
  const made = [
    await api.post('/v1/email/claim', { address: `${word}-two` }),
    await api.post('/v1/stack', { domain: `${word}.example.net` }),
    await api.post('/v1/account/keys', { name: `${word} key`, scopes: ['mail:read'] }),
    await api.post('/v1/webhooks', { url: `https://hooks.example.com/${word}`, events: ['email.received'] }),
    await api.put(`/v1/vault/${word}-token`, SEALED),
    await api.post('/v1/calendar/events', {
      summary: `${word} review`,
      start: '2030-01-01T10:00:00Z',
      end: '2030-01-01T11:00:00Z',
    }),
    await api.post('/v1/email/drafts', { from: address, to: 'bob@example.com', subject: `${word} draft`, text: 'x' }),
    await api.post('/v1/email/send', { from: address, to: 'bob@example.com', subject: `${word} sent`, text: 'x' }),
    await api.post('/v1/charge', { amount: '1.00', category: 'tools', description: `${word} credits` }),
    await api.post('/v1/pods', { name: `${word} tenant` }),
  ];
  for (const { status, text } of made) assert.ok(status < 300, text);
  await receive(t, agent, 'Your order', `It holds one ${word}, as you asked.`);
  return agent;
}

const ALL = 'address,agent,charge,domain,draft,event,key,mail,pod,secret,sent_mail,webhook';

onEngines('both', 'GET /v1/search', {}, (suite) => {
  let made: Promise<TestAgent> | undefined;
  /** The same agent for all tests. */
  const kestrel = (): Promise<TestAgent> => {
    made ??= everything(suite.t, 'kestrel');
    return made;
  };

  it('finds one thing of every kind by a word, with a page of the console; another account finds none of it', async () => {
    const { t } = suite;
    const agent = await kestrel();
    const found = await search(agent.api, 'kestrel');
    assert.equal(kindsOf(found).join(), ALL);
    for (const { account_id, href, title, at, id } of found) {
      assert.equal(account_id, agent.accountId);
      assert.match(href, new RegExp(`^/dashboard#/${agent.accountId}/[a-z]+`));
      assert.ok(title.length > 0 && id.length > 0 && !Number.isNaN(Date.parse(at)));
    }
    const secret = found.find(({ kind }) => kind === 'secret');
    assert.deepEqual([secret?.id, secret?.title], ['kestrel-token', 'kestrel-token']);
    const mail = found.find(({ kind }) => kind === 'mail');
    assert.equal(mail?.title, 'Your order', 'mail is found by its text too');
    assert.equal(mail?.href.endsWith(`/mail/${encodeURIComponent(agent.address)}/inbox/${mail.id}`), true);
    const stranger = await t.createAccount();
    assert.deepEqual(await search(stranger.api, 'kestrel'), []);
    assert.deepEqual(await search(stranger.api, agent.accountId), []);
  });

  it('all words must occur, in any case and order; part of a name is enough, and of a mail the beginning of a word', async () => {
    const { api } = await kestrel();
    assert.deepEqual(kindsOf(await search(api, 'REVIEW Kestrel')), ['event']);
    assert.deepEqual(kindsOf(await search(api, 'estrel-tok')), ['secret']);
    assert.deepEqual(kindsOf(await search(api, 'asked kes')), ['mail']);
    assert.deepEqual(await search(api, 'kestrel nothing'), []);
    await api.post('/v1/account/keys', { name: 'ÄRGER mit Öl', scopes: ['mail:read'] });
    assert.deepEqual(kindsOf(await search(api, 'ärger ÖL')), ['key']);
  });

  it('400: too short, too long, an unknown kind', async () => {
    const { api } = await kestrel();
    for (const query of ['q=x', `q=${'x'.repeat(101)}`, 'q=ok&kinds=mail,planet', '', 'q=ok&limit=51'])
      assert.equal((await api.get(`/v1/search?${query}`)).status, 400, query);
    assert.equal((await suite.t.api().get('/v1/search?q=ok')).status, 401);
  });

  it('a key finds only the kinds that its scopes let it list, and needs none to ask', async () => {
    const { t } = suite;
    const agent = await kestrel();
    const withScopes = async (scopes: Scope[], more: object = {}): Promise<string> => {
      const key = await agent.api.post('/v1/account/keys', { name: 'x', scopes, ...more });
      return kindsOf(await search(t.api(key.body.api_key), 'kestrel')).join();
    };
    assert.equal(await withScopes(['vault:read']), 'secret');
    assert.equal(await withScopes(['mail:read', 'mail:codes']), 'address,draft,mail,sent_mail');
    assert.equal(await withScopes(['calendar:read', 'money:read']), 'charge,event');
    assert.equal(await withScopes(['vault:write', 'mail:send']), '');
    const limited = { addresses: [agent.address] };
    assert.equal(await withScopes(['mail:read', 'mail:codes', 'webhooks:manage'], limited), 'draft,mail,sent_mail');
  });

  it('no sign means anything: not to the index of mail, not to a pattern', async () => {
    const { api } = await kestrel();
    const hostile = ['%%', '__', '%_%', '\\\\', '"x"', 'x AND', '(x', '{body}: x', "x' | 'y", "x:*'", 'x <-> y', '!xx'];
    const more = ["'); drop table messages --", 'NEAR(x y)', '\u0001\u0002', '  ', 'ﷺ'.repeat(90), '\u0301x', 'from:"'];
    for (const q of [...hostile, ...more]) assert.deepEqual(await search(api, q), [], q);
    for (const q of ['kestrel%', 'kestr_l', 'kestrel\\', '"kestrel', 'subject:kestrel'])
      assert.deepEqual(
        (await search(api, q)).filter(({ kind }) => kind !== 'mail'),
        [],
        q,
      );
    await api.post('/v1/account/keys', { name: '100%_sure', scopes: ['mail:read'] });
    assert.deepEqual(kindsOf(await search(api, '0%_s')), ['key']);
    assert.equal(kindsOf(await search(api, 'kestrel')).length, 12, 'all is still there');
  });

  it('sealed, quarantined and trashed mail is never found', async () => {
    const { t } = suite;
    const sealed = await createAgent(t, { public_key: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo' });
    await receive(t, sealed, 'goshawk sealed', 'goshawk');
    assert.deepEqual(await search(sealed.api, 'goshawk'), []);
    assert.deepEqual(await search(sealed.api, 'elsewhere'), []);
    const agent = await createAgent(t);
    await receive(t, agent, 'goshawk', 'goshawk');
    const [mail] = await search(agent.api, 'goshawk');
    await agent.api.delete(`/v1/email/messages/${mail?.id}?address=${agent.address}`);
    assert.deepEqual(await search(agent.api, 'goshawk'), []);
    await agent.api.put('/v1/email/policy', { inbound: { unauthenticated: 'quarantine' } });
    await receive(t, agent, 'goshawk held', 'goshawk');
    assert.deepEqual(await search(agent.api, 'goshawk'), []);
  });

  it('a key without mail:codes finds mail by its sender alone, and no code by looking for it', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    await receive(t, agent, 'Your code is 481922', 'The code is 481922. https://x.example/reset/tokentoken');
    await agent.api.post('/v1/email/drafts', { from: agent.address, to: 'b@example.com', subject: 'Re: code 481922' });
    const { api_key } = (await agent.api.post('/v1/account/keys', { name: 'x', scopes: ['mail:read'] })).body;
    const blind = t.api(api_key);
    for (const q of ['481922', '48192', '4819', 'tokentoken', 'tokent', 'code']) {
      const found = (await search(blind, q)).filter(({ kind }) => kind === 'mail');
      assert.deepEqual(found, [], q);
    }
    const titles = async (api: Api, q: string) => (await search(api, q)).map(({ title }) => title);
    assert.deepEqual(await titles(blind, 'elsewhere'), ['Your code is •••']);
    assert.deepEqual(await search(blind, 'elsewhere 481922'), []);
    assert.deepEqual(await titles(blind, 're: code'), ['Re: code •••']);
    assert.equal((await search(agent.api, '48192')).length, 2, 'with mail:codes it is found');
  });

  it('what is hidden from a caller hides nothing from it: mail of other addresses, codes that the word is in', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const draft = async (from: string, subject: string): Promise<void> => {
      const { status, text } = await agent.api.post('/v1/email/drafts', { from, to: 'b@example.com', subject });
      assert.equal(status, 201, text);
    };
    const blind = t.api((await agent.api.post('/v1/account/keys', { name: 'x', scopes: ['mail:read'] })).body.api_key);
    await draft(agent.address, 'kodiak trip');
    for (let n = 0; n < 7; n++) await draft(agent.address, `Reset: https://x.example/reset/kodiak${n}`);
    const titles = async (api: Api, q: string) =>
      (await search(api, q, '&limit=1&kinds=draft')).map(({ title }) => title);
    assert.deepEqual(await titles(blind, 'kodiak'), ['kodiak trip']);
    const { address: other } = (await agent.api.post('/v1/email/claim', { address: `other-${t.engine}-plover` })).body;
    await draft(agent.address, 'plover of mine');
    for (let n = 0; n < 7; n++) await draft(other, `plover ${n}`);
    const more = { name: 'y', scopes: ['mail:read', 'mail:codes'], addresses: [agent.address] };
    const limited = t.api((await agent.api.post('/v1/account/keys', more)).body.api_key);
    assert.deepEqual(await titles(limited, 'plover'), ['plover of mine']);
  });

  it('a key that is limited to addresses finds the keys that it may list, and no other', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const keyFor = async (name: string, addresses?: string[]): Promise<Api> => {
      const made = await agent.api.post('/v1/account/keys', { name, scopes: ['account:read'], addresses });
      return t.api(made.body.api_key);
    };
    const { address: other } = (await agent.api.post('/v1/email/claim', { address: `other-${t.engine}-ruff` })).body;
    const limited = await keyFor('ruff own', [agent.address]);
    await keyFor('ruff whole');
    await keyFor('ruff other', [other]);
    await keyFor('ruff both', [agent.address, other]);
    const listed = (await limited.get('/v1/account/keys')).body.keys.map(({ name }: { name: string }) => name);
    const found = (await search(limited, 'ruff', '&kinds=key')).map(({ title }) => title);
    assert.deepEqual([found, listed], [['ruff own'], ['ruff own']]);
    assert.equal((await search(agent.api, 'ruff', '&kinds=key')).length, 4);
  });

  it('of a long text the beginning is looked at; a word of other letters than ASCII is found behind many that fit as well', async () => {
    const { api } = await createAgent(suite.t);
    const times = { start: '2030-01-01T10:00:00Z', end: '2030-01-01T11:00:00Z' };
    const event = (summary: string, description = '') =>
      api.post('/v1/calendar/events', { ...times, summary, description });
    await event('会議 with Dörte');
    for (let n = 0; n < 7; n++) await event(`more ${n}`, `${'a'.repeat(2000)} whimbrel`);
    for (const q of ['会議', 'DÖRTE']) assert.equal((await search(api, q, '&limit=1'))[0]?.title, '会議 with Dörte', q);
    assert.deepEqual(await search(api, 'whimbrel'), []);
    assert.equal((await search(api, 'aaaa')).length, 7);
  });

  it('much of one kind hides no other, kinds choose, and it costs as many statements as before', async () => {
    const { t } = suite;
    const agent = await kestrel();
    const cost = async (): Promise<number> => (await measured(() => agent.api.get('/v1/search?q=kes'))).work.statements;
    const before = t.engine === 'sqlite' ? await cost() : 0;
    for (let n = 0; n < 8; n++) await agent.api.put(`/v1/vault/kestrel-${n}`, SEALED);
    for (let n = 0; n < 3; n++) await receive(t, agent, `kestrel ${n}`);
    const few = await search(agent.api, 'kestrel', '&limit=6');
    assert.deepEqual([few.length, kindsOf(few).length], [6, 6]);
    assert.ok(few[0]?.title.startsWith('kestrel'), 'what begins with the text comes first');
    assert.deepEqual(kindsOf(await search(agent.api, 'kestrel', '&kinds=mail,secret')), ['mail', 'secret']);
    assert.equal((await search(agent.api, 'kestrel', '&kinds=secret&limit=5')).length, 5);
    if (t.engine !== 'sqlite') return;
    assert.equal(await cost(), before);
    assert.ok(before < 25, `${before} statements`);
  });
});

onEngines('both', 'GET /v1/operator/search', {}, (suite) => {
  const OPERATOR = '/v1/operator/search';

  it('finds things of all agents that the address is a confirmed operator of, and of no other', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    for (const { api } of agents) await api.put('/v1/vault/curlew', SEALED);
    const unconfirmed = await t.createAccount();
    await unconfirmed.api.post('/v1/account/operator-email', { email });
    await unconfirmed.api.put('/v1/vault/curlew', SEALED);
    const found = await search(operator, 'curlew', '', OPERATOR);
    assert.deepEqual(found.map((one) => one.account_id).sort(), agents.map(({ accountId }) => accountId).sort());
    const named = await search(operator, 'one', '&kinds=agent', OPERATOR);
    assert.deepEqual(
      named.map(({ account_id, title, href }) => [account_id, title, href]),
      [[agents[0].accountId, 'one', `/dashboard#/${agents[0].accountId}/overview`]],
    );
    assert.deepEqual(await search(operator, 'curlew', '&kinds=mail', OPERATOR), []);
    assert.equal((await unconfirmed.api.get(`${OPERATOR}?q=curlew`)).status, 403, 'a key is no person');
  });

  it('a session of a person who operates nothing finds nothing', async () => {
    const { t } = suite;
    const [owner, email] = [await t.createAccount({ name: 'dunlin' }), newPerson(t)];
    await owner.api.post('/v1/account/recovery-email', { email });
    const [link] = await loginLinks(t, email);
    const session = t.api(await followLink(t, link as string));
    assert.deepEqual(await search(session, 'dunlin', '', OPERATOR), []);
    assert.equal((await search(session, 'dunlin')).length, 1);
  });

  it('finds nothing in an account that is suspended as a whole', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    for (const { api } of agents) await api.put('/v1/vault/avocet', SEALED);
    const found = async () => (await search(operator, 'avocet', '', OPERATOR)).map((one) => one.account_id);
    assert.equal((await found()).length, 2);
    await suspend(t, agents[0].accountId);
    assert.deepEqual(await found(), [agents[1].accountId]);
  });

  it('costs as many statements for six agents as for two', async () => {
    const { t } = suite;
    if (t.engine !== 'sqlite') return;
    const costOf = async (many: number): Promise<number> => {
      const { token } = await manyAgents(t, many);
      const { reply, work } = await measured(() => t.api(token).get(`${OPERATOR}?q=agent`));
      assert.equal(reply.body.results.filter(({ kind }: Result) => kind === 'agent').length, many);
      return work.statements;
    };
    assert.equal(await costOf(6), await costOf(2));
  });
});

onEngines('any', 'the limit of searches', { limits: { searches_per_hour: 2 } }, (suite) => {
  it('refuses more, and counts nothing else', async () => {
    const { api } = await suite.t.createAccount();
    for (let left = 1; left >= 0; left--)
      assert.equal((await api.get('/v1/search?q=ok')).headers.get('ratelimit-remaining'), String(left));
    const { status, body } = await api.get('/v1/search?q=ok');
    assert.deepEqual([status, body.quota], [429, { name: 'searches_per_hour', used: 2, max: 2 }]);
    assert.equal((await api.get('/v1/account/me')).status, 200);
  });
});
