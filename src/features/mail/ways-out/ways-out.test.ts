import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession, type TestAgent } from '../../../../test/support/agents.ts';
import { delegate, exchange, tokenFor } from '../../../../test/support/delegations.ts';
import {
  type Api,
  type ApiReply,
  onEngines,
  type TestAccount,
  type TestApp,
} from '../../../../test/support/harness.ts';
import { mcpClient } from '../../../../test/support/mcp.ts';
import { allow, askFor, clientTokens, registerClient } from '../../../../test/support/oauth-client.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { answer, startReceiver } from '../../../../test/support/webhook-receiver.ts';

const WAYS = '/v1/account/policy';
const MAIL = '/v1/email/policy';
const PROFILE = '/v1/agents/profile';
const SHARED = { topic: 'a', content: 'b', shared: true };

const said = ({ status, body }: ApiReply) => [status, body.code, body.way, body.target, body.limit_set_by];

async function setWays(api: Api, ways: object): Promise<void> {
  const changed = await api.put(WAYS, { ways });
  assert.equal(changed.status, 200, changed.text);
}

async function setMail(api: Api, outbound: object): Promise<void> {
  const changed = await api.put(MAIL, { outbound });
  assert.equal(changed.status, 200, changed.text);
}

/** An agent with an operator who has the authority. */
async function operated(t: TestApp): Promise<TestAgent & { operator: Api; email: string }> {
  const agent = await createAgent(t);
  const email = newPerson(t);
  await confirmOperator(t, agent, email, 'operator');
  return { ...agent, operator: await openSession(t, email), email };
}

const hook = (host: string) => ({ url: `http://${host}:9/hook`, events: ['email.received'] });
const feedOf = async (url: string): Promise<number> => (await fetch(url)).status;

onEngines('both', 'the policy for ways out', {}, (suite) => {
  it('shows every way, opens all by default, and keeps what is not named', async () => {
    const { api } = await createAgent(suite.t);
    const { body } = await api.get(WAYS);
    const open = { rule: 'open', allow: [], from: 'default' };
    assert.deepEqual(Object.keys(body.ways).sort(), [
      ...['delegate', 'feed', 'fetch', 'grant', 'invite', 'mail', 'pay', 'publish', 'share', 'token', 'webhook'],
    ]);
    for (const view of Object.values(body.ways)) assert.deepEqual(view, open);
    const list = { rule: 'list', allow: ['Hooks.Example', 'hooks.example', 'bücher.example'] };
    const { body: changed } = await api.put(WAYS, { ways: { webhook: list, share: 'off' } });
    const hosts = ['hooks.example', 'xn--bcher-kva.example'];
    assert.deepEqual(changed.ways.webhook, { rule: 'list', allow: hosts, from: 'own' });
    assert.deepEqual(changed.ways.share, { rule: 'off', allow: [], from: 'own' });
    await setWays(api, { webhook: 'operator', share: null });
    const { ways } = (await api.get(WAYS)).body;
    assert.deepEqual([ways.webhook, ways.share], [{ rule: 'operator', allow: hosts, from: 'own' }, open]);
  });

  it('400 for mail, pay, an unknown rule, a host with a port, and a list where a way has no targets', async () => {
    const { api } = await createAgent(suite.t);
    for (const ways of [
      { mail: 'off' },
      { pay: 'off' },
      { other: 'off' },
      { webhook: 'known' },
      { webhook: { allow: ['a.example'] } },
      { webhook: { rule: 'list', allow: ['a.example:443'] } },
      { webhook: { rule: 'list', allow: ['https://a.example'] } },
      { webhook: { rule: 'list', allow: ['a.example/b'] } },
      { publish: { rule: 'list', allow: ['a.example'] } },
      { token: { rule: 'list', allow: ['x'.repeat(201)] } },
      { token: { rule: 'list', allow: Array.from({ length: 1001 }, (_, n) => `a${n}`) } },
    ])
      assert.equal((await api.put(WAYS, { ways })).status, 400, JSON.stringify(ways));
    assert.equal((await api.put(WAYS, { ways: {} })).status, 200);
    const { ways } = (await api.get(WAYS)).body;
    assert.ok(Object.values(ways).every((view) => (view as { from: string }).from === 'default'));
  });

  it('under authority: operator, only an operator changes it; a named key never', async () => {
    const { api, operator } = await operated(suite.t);
    const refused = await api.put(WAYS, { ways: { share: 'open' } });
    assert.deepEqual([refused.status, refused.body.code], [403, 'operator_required']);
    await setWays(operator, { share: 'off' });
    const { api_key: key } = (await api.post('/v1/account/keys', { name: 'k', scopes: ['account:read'] })).body;
    assert.equal((await suite.t.api(key).put(WAYS, { ways: { share: 'open' } })).body.code, 'insufficient_scope');
    assert.equal((await suite.t.api(key).get(WAYS)).body.ways.share.rule, 'off');
  });

  it('G2: under a mail policy to: list every other way but tokens is the operator’s, who says so or does it', async () => {
    const { t } = suite;
    const { api, operator } = await operated(t);
    const other = await createAgent(t);
    await setMail(operator, { to: 'list', allow: ['good.example'] });
    const { ways } = (await api.get(WAYS)).body;
    for (const [way, { rule, from }] of Object.entries(ways) as [string, { rule: string; from: string }][])
      assert.deepEqual(
        [rule, from],
        way === 'mail' ? ['list', 'own'] : [way === 'token' || way === 'pay' ? 'open' : 'operator', 'default'],
        way,
      );
    const expires = { expires_at: new Date(t.clock.now() + 3_600_000).toISOString(), scopes: ['mail:read'] };
    const calls: [string, string | null, (as: Api) => Promise<ApiReply>][] = [
      ['webhook', 'evil.example', (as) => as.post('/v1/webhooks', hook('evil.example'))],
      ['share', null, (as) => as.post('/v1/observations', SHARED)],
      ['publish', null, (as) => as.patch(PROFILE, { description: 'a secret' })],
      ['feed', null, (as) => as.post('/v1/calendar/feed/rotate', {})],
      ['delegate', other.accountId, (as) => as.post('/v1/delegations', { to: other.accountId, ...expires })],
      ['invite', null, (as) => as.post('/v1/pods', {})],
    ];
    for (const [way, target, call] of calls) {
      assert.deepEqual(said(await call(api)), [403, 'operator_required', way, target, undefined]);
      assert.ok((await call(operator)).status < 300, way);
    }
    assert.equal((await api.post('/v1/tokens/issue', { audience: 'https://a.example', scopes: ['read'] })).status, 201);
    assert.equal((await api.post('/v1/observations', { ...SHARED, shared: false })).status, 201);
    // The operator adds a target, or opens a way.
    await setWays(operator, { webhook: { rule: 'operator', allow: ['evil.example'] }, share: 'open' });
    assert.equal((await api.post('/v1/webhooks', hook('evil.example'))).status, 201);
    assert.equal((await api.post('/v1/observations', SHARED)).status, 201);
  });

  it('list lets out to its targets alone, for everyone, and off to none', async () => {
    const { t } = suite;
    const { api, operator } = await operated(t);
    await setWays(operator, { token: { rule: 'list', allow: ['https://a.example'] }, publish: 'off' });
    const issue = (as: Api, audience: string) => as.post('/v1/tokens/issue', { audience, scopes: ['read'] });
    assert.equal((await issue(api, 'https://a.example')).status, 201);
    for (const as of [api, operator]) {
      assert.deepEqual(said(await issue(as, 'https://b.example')), [
        ...[403, 'target_not_allowed', 'token', 'https://b.example', undefined],
      ]);
      assert.deepEqual(said(await as.patch(PROFILE, { name: 'x' })), [403, 'way_off', 'publish', null, undefined]);
    }
  });

  it('a grant asks for the client, and an operator lets it in where a session of the account may not', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const email = newPerson(t);
    await confirmOperator(t, agent, email);
    const operator = await openSession(t, email);
    const [good, bad] = [await registerClient(t), await registerClient(t)];
    await setWays(agent.api, { grant: { rule: 'list', allow: [good] } });
    assert.ok((await allow(operator, askFor(good))).get('code'));
    await assert.rejects(allow(operator, askFor(bad)));
    const refused = await operator.post('/oauth/consent', { request: askFor(bad).request, decision: 'allow' });
    assert.deepEqual(said(refused), [403, 'target_not_allowed', 'grant', bad, undefined]);
  });
});

onEngines('both', 'what was let out before', {}, (suite) => {
  it('G2: a webhook of a key sends no more once the policy is narrower; an operator’s goes on', async () => {
    const { t } = suite;
    const { api, operator, address } = await operated(t);
    const [byKey, byOperator] = [await startReceiver(answer(200)), await startReceiver(answer(200))];
    const made = async (as: Api, { url }: { url: string }) =>
      (await as.post('/v1/webhooks', { url, events: ['email.received'] })).body.id as string;
    const [ofKey, ofOperator] = [await made(api, byKey), await made(operator, byOperator)];
    await setMail(operator, { to: 'list', allow: [] });
    const mailed = async () => {
      await createAgent(t).then((other) =>
        other.api.post('/v1/email/send', { from: other.address, to: address, subject: 'Hi', text: 'Hi' }),
      );
      await t.app.worker.runDue();
    };
    const received = () => [byKey, byOperator].map((receiver) => receiver.received.length);
    await mailed();
    assert.deepEqual(received(), [0, 1]);
    const [delivery] = (await api.get(`/v1/webhooks/${ofKey}/deliveries`)).body.deliveries;
    assert.deepEqual(
      [delivery.status, delivery.error, delivery.next_attempt_at],
      ['failed', 'refused_by_policy', null],
    );
    const state = async (id: string) => {
      const { paused, paused_reason: reason } = (await api.get(`/v1/webhooks/${id}`)).body;
      return [paused, reason];
    };
    assert.deepEqual(
      [await state(ofKey), await state(ofOperator)],
      [
        [true, 'policy'],
        [false, null],
      ],
    );
    // A key changes neither to send elsewhere. An operator lets it go on.
    for (const id of [ofKey, ofOperator])
      assert.equal(
        (await api.patch(`/v1/webhooks/${id}`, { events: ['email.failed'] })).body.code,
        'operator_required',
      );
    assert.equal((await operator.patch(`/v1/webhooks/${ofKey}`, { status: 'active' })).body.paused, false);
    await mailed();
    assert.deepEqual(received(), [1, 2]);
    await Promise.all([byKey.close(), byOperator.close()]);
  });

  it('G2: a feed is 404 and a delegated call 403 once the policy is narrower; an operator’s go on', async () => {
    const { t } = suite;
    const { api, operator } = await operated(t);
    const [mine, theirs] = [await createAgent(t), await createAgent(t)];
    const url = (await api.get('/v1/calendar/feed')).body.feed_url;
    const scopes = ['account:read', 'trust:write'];
    const byKey = await delegate(t, api, mine, { scopes });
    const byOperator = await delegate(t, operator, theirs, { scopes });
    const tokens = [
      t.api((await tokenFor(t, mine.key, byKey.id)).access_token),
      t.api((await tokenFor(t, theirs.key, byOperator.id)).access_token),
    ] as const;
    const me = (as: Api) => as.get('/v1/account/me');
    assert.deepEqual([await feedOf(url), (await me(tokens[0])).status, (await me(tokens[1])).status], [200, 200, 200]);
    await setMail(operator, { to: 'list', allow: [] });
    assert.equal(await feedOf(url), 404);
    const barred = [403, 'operator_required', 'delegate', mine.accountId, undefined];
    assert.deepEqual(said(await me(tokens[0])), barred);
    assert.deepEqual(said(await exchange(t, mine.key, byKey.id)), barred);
    assert.equal((await me(tokens[1])).status, 200);
    const next = (await operator.post('/v1/calendar/feed/rotate', {})).body.feed_url;
    assert.equal(await feedOf(next), 200);
    await setWays(operator, { delegate: { rule: 'operator', allow: [mine.accountId] }, feed: 'off' });
    assert.deepEqual([await feedOf(next), (await me(tokens[0])).status], [404, 200]);
  });

  it('G2: a strict agent acts for nobody whom its operator did not name, and then lets out what both allow', async () => {
    const { t } = suite;
    const [owner, strict, third] = [await createAgent(t), await createAgent(t), await createAgent(t)];
    const scopes = ['mail:send', 'mail:read', 'trust:write', 'vault:write'];
    const { id } = await delegate(t, owner.api, strict, { scopes, may_delegate: 2 });
    const acting = t.api((await tokenFor(t, strict.key, id)).access_token);
    const later = { expires_at: new Date(t.clock.now() + 3_600_000).toISOString(), scopes: ['mail:read'] };
    const passed = await acting.post('/v1/delegations', { to: third.accountId, ...later });
    const reading = t.api((await tokenFor(t, third.key, passed.body.id)).access_token);
    const mail = { from: owner.address, to: 'x@out.example', subject: 'Hi', text: 'Hi' };
    assert.equal((await acting.post('/v1/email/send', mail)).status, 201);
    await setMail(strict.api, { to: 'list', allow: ['good.example'] });
    const barred = [403, 'operator_required', 'delegate', owner.accountId, 'delegate'];
    // A private note or an entry of the vault would be its words in the account of another.
    for (const call of [
      acting.post('/v1/observations', { ...SHARED, shared: false }),
      acting.put('/v1/vault/note', { ciphertext: 'AAAA' }),
      acting.post('/v1/email/send', mail),
    ])
      assert.deepEqual(said(await call), barred);
    assert.equal((await reading.get('/v1/email/inbox')).body.code, 'operator_required');
    assert.equal((await owner.api.post('/v1/email/send', mail)).status, 201);
    await setWays(strict.api, { delegate: { rule: 'operator', allow: [owner.accountId] } });
    const sent = await acting.post('/v1/email/send', mail);
    assert.deepEqual([sent.status, sent.body.code, sent.body.limit_set_by], [403, 'recipient_not_allowed', 'delegate']);
    assert.equal((await acting.post('/v1/email/send', { ...mail, to: 'x@good.example' })).status, 201);
    assert.deepEqual(said(await acting.post('/v1/observations', SHARED)), [
      ...[403, 'operator_required', 'share', null, 'delegate'],
    ]);
    assert.deepEqual(said(await acting.post('/v1/delegations', { to: third.accountId, ...later })), [
      ...[403, 'operator_required', 'delegate', third.accountId, 'delegate'],
    ]);
    assert.equal((await reading.get('/v1/email/inbox')).body.code, 'operator_required');
  });

  it('G2: an OAuth client of a strict account gets nothing out over MCP', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const email = newPerson(t);
    await confirmOperator(t, agent, email);
    const operator = await openSession(t, email);
    const { access } = await clientTokens(t, operator, { scope: 'mail:send trust:write' });
    await setMail(operator, { to: 'list', allow: ['good.example'] });
    const client = mcpClient(t, access);
    const note = await client.tool('note', SHARED);
    assert.match(JSON.stringify(note), /operator_required/);
    const rows = await t.sql(
      'select count(*) as n from observations where shared = 1 and account_id = ?',
      agent.accountId,
    );
    assert.equal(Number(rows[0]?.n), 0);
  });
});

onEngines('both', 'what a platform sets for its pods', {}, (suite) => {
  const pods = async (t: TestApp) => {
    const platform = await operated(t);
    const pod: TestAccount & { podId: string } = await makePod(t, platform);
    return { platform, pod: { ...(await createAgent(t, {}, pod)), podId: pod.podId } };
  };

  it('G1: a pod is bound by its platform’s ways and by those set for it, and cannot loosen them', async () => {
    const { t } = suite;
    const { platform, pod } = await pods(t);
    const patch = (policy: object | null) => platform.operator.patch(`/v1/pods/${pod.podId}`, { policy });
    const refused = await platform.api.patch(`/v1/pods/${pod.podId}`, { policy: { ways: { share: 'off' } } });
    assert.equal(refused.body.code, 'operator_required');
    const set = await patch({ ways: { share: 'off' }, outbound: { to: 'list', allow: ['Good.Example'] } });
    assert.deepEqual(set.body.policy, {
      ways: { share: { rule: 'off', allow: [] } },
      outbound: { to: 'list', allow: ['good.example'] },
    });
    assert.deepEqual((await platform.operator.get(`/v1/pods/${pod.podId}`)).body.policy, set.body.policy);
    await setWays(pod.api, { share: 'open', publish: 'open' });
    await setMail(pod.api, { to: 'open' });
    const { ways } = (await pod.api.get(WAYS)).body;
    assert.deepEqual(ways.share, { rule: 'off', allow: [], from: 'platform' });
    assert.deepEqual(ways.mail, { rule: 'list', allow: [], from: 'platform' });
    assert.deepEqual(ways.publish, { rule: 'operator', allow: [], from: 'platform' });
    assert.deepEqual(said(await pod.api.post('/v1/observations', SHARED)), [403, 'way_off', 'share', null, 'platform']);
    const mail = { from: pod.address, to: 'x@out.example', subject: 'Hi', text: 'Hi' };
    const sent = await pod.api.post('/v1/email/send', mail);
    assert.deepEqual([sent.body.code, sent.body.limit_set_by], ['recipient_not_allowed', 'platform']);
    assert.equal((await pod.api.post('/v1/email/send', { ...mail, to: 'x@good.example' })).status, 201);
    // The platform itself is free, and so is the pod once nothing is set.
    assert.equal((await platform.api.post('/v1/observations', SHARED)).status, 201);
    assert.equal((await patch(null)).status, 200);
    assert.equal((await pod.api.post('/v1/observations', SHARED)).status, 201);
    assert.equal((await pod.api.post('/v1/email/send', mail)).status, 201);
  });

  it('G1: a pod gets no new reader, name or list out of a strict platform', async () => {
    const { t } = suite;
    const { platform, pod } = await pods(t);
    const path = `/v1/pods/${pod.podId}`;
    await setMail(platform.operator, { to: 'list', allow: ['good.example'] });
    const email = newPerson(t);
    const calls: [string, string | undefined, Promise<ApiReply>][] = [
      ['publish', undefined, platform.api.patch(path, { name: 'a secret' })],
      ['invite', undefined, platform.api.patch(path, { recovery_email: email })],
      ['invite', 'platform', pod.api.post('/v1/account/recovery-email', { email })],
      ['invite', 'platform', pod.api.post('/v1/vault/recovery-email', { email, encrypted_seed: 'c2VlZA' })],
      ['fetch', 'platform', pod.api.post('/v1/stack', { domain: 'secret.evil.example' })],
    ];
    for (const [way, by, call] of calls) {
      const { status, body } = await call;
      assert.deepEqual([status, body.code, body.way, body.limit_set_by], [403, 'operator_required', way, by], way);
    }
    assert.equal((await platform.api.patch(path, { name: null, recovery_email: null })).status, 200);
    assert.equal((await platform.operator.patch(path, { name: 'Desk', recovery_email: email })).status, 200);
    assert.equal((await pod.api.get(path)).body.policy, undefined);
  });

  it('N4: what a stolen platform key set for a pod goes with `secure`', async () => {
    const { t } = suite;
    const platform = await createAgent(t);
    const pod = await makePod(t, platform);
    const path = `/v1/pods/${pod.podId}`;
    const policy = { ways: { share: 'off' }, outbound: { to: 'list', allow: ['good.example'] } };
    const { body: set } = await platform.api.patch(path, { policy });
    t.clock.advance(3_600_000);
    await platform.api.patch(path, { policy: { ways: { share: 'open', feed: 'open' }, outbound: null } });
    const { body } = await platform.api.post('/v1/account/secure', {});
    const { body: after } = await t.api(body.api_key).get(path);
    assert.deepEqual(after.policy, set.policy);
    assert.ok(body.recent_changes.some(({ what }: { what: string }) => what === 'pod_policy_restored'));
  });

  it('holding back means refusing: a platform reads no mail of its pods', async () => {
    const { platform, pod } = await pods(suite.t);
    await platform.operator.patch(`/v1/pods/${pod.podId}`, { policy: { outbound: { hold: 'always' } } });
    const sent = await pod.api.post('/v1/email/send', {
      from: pod.address,
      to: 'x@a.example',
      subject: 'a',
      text: 'b',
    });
    assert.deepEqual([sent.status, sent.body.limit_set_by], [403, 'platform']);
  });
});

onEngines('any', 'GET /v1/account/power', {}, (suite) => {
  it('names what a credential can do and what an operator decides, in 12 KB', async () => {
    const { t } = suite;
    const { api, operator, email } = await operated(t);
    await setMail(operator, { to: 'list', allow: Array.from({ length: 1000 }, (_, n) => `host-${n}.example`) });
    const long = Array.from({ length: 1000 }, (_, n) => `${'x'.repeat(190)}${n}`);
    await setWays(operator, { token: { rule: 'list', allow: long }, webhook: 'open' });
    const { body, text } = await api.get('/v1/account/power');
    assert.ok(text.length <= 12_288, `${text.length}`);
    assert.deepEqual([body.authority, body.operators, body.operator_addresses], ['operator', 1, [email]]);
    const where = (operation: string) => [body.can.includes(operation), body.operator_decides.includes(operation)];
    assert.deepEqual(['sendEmail', 'createEventWebhook', 'issueToken'].map(where), Array(3).fill([true, false]));
    for (const operation of ['updateProfile', 'createPod', 'setMailPolicy', 'setAccountPolicy', 'createDelegation'])
      assert.deepEqual(where(operation), [false, true], operation);
    const token = body.ways_out.find(({ way }: { way: string }) => way === 'token');
    assert.deepEqual([token.rule, token.from, token.targets], ['list', 'own', 1000]);
    const seen = (await operator.get('/v1/account/power')).body;
    assert.ok(seen.can.includes('updateProfile'));
    assert.deepEqual(seen.operator_decides, []);
    for (const operation of ['approveReview', 'getReview', 'approveCharge'])
      assert.deepEqual([where(operation), seen.can.includes(operation)], [[false, true], true], operation);
    await setWays(operator, { publish: 'off' });
    assert.ok(!(await operator.get('/v1/account/power')).body.can.includes('updateProfile'));
  });

  it('shows a named key and a delegate neither addresses nor lists, and only what they may call', async () => {
    const { t } = suite;
    const { api, operator } = await operated(t);
    await setWays(operator, { webhook: { rule: 'list', allow: ['secret.example'] } });
    const scopes = ['account:read', 'mail:read'];
    const { api_key: key } = (await api.post('/v1/account/keys', { name: 'k', scopes })).body;
    const helper = await createAgent(t);
    const { id } = await delegate(t, api, helper, { scopes });
    for (const token of [key, (await tokenFor(t, helper.key, id)).access_token]) {
      const { body, text } = await t.api(token).get('/v1/account/power');
      assert.ok(!/secret\.example|@/.test(text), text);
      assert.deepEqual((await t.api(token).get(WAYS)).body.ways.webhook, { rule: 'list', allow: [], from: 'own' });
      assert.ok(body.can.includes('listInbox'), text);
      assert.ok(!body.can.includes('sendEmail') && !body.operator_decides.includes('sendEmail'));
    }
  });
});
