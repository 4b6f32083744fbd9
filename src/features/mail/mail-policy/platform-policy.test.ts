import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession, type TestAgent } from '../../../../test/support/agents.ts';
import { confirmAt } from '../../../../test/support/confirmed.ts';
import { delegate, tokenFor } from '../../../../test/support/delegations.ts';
import { type Api, type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { clientTokens } from '../../../../test/support/oauth-client.ts';
import { followLink, loginLinks, newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { DAY_MS } from '../../../base/period.ts';

const POLICY = '/v1/email/policy';
const BARRED = [403, 'recipient_not_allowed', 'platform'];
/** In parts, so that no scanner of sources takes it for a real one. */
const SECRET = { text: `use ${'AKIA'}IOSFODNN7EXAMPLE` };

const sendTo = ({ api, address }: Pick<TestAgent, 'api' | 'address'>, to: string | string[], more: object = {}) =>
  api.post('/v1/email/send', { from: address, to, subject: 'Hello', text: 'Body', ...more });
const said = ({ status, body }: ApiReply) => [status, body.error, body.limit_set_by];

async function setPolicy(api: Api, outbound: object): Promise<void> {
  const changed = await api.put(POLICY, { outbound });
  assert.equal(changed.status, 200, changed.text);
}

const newPod = async (t: TestApp, platform: TestAgent): Promise<TestAgent> =>
  createAgent(t, {}, await makePod(t, platform));

/** A platform with a confirmed operator, and its pod. */
async function operated(t: TestApp) {
  const platform = await createAgent(t);
  const email = newPerson(t);
  await confirmOperator(t, platform, email);
  const operator = await openSession(t, email);
  return { platform, email, operator, pod: await newPod(t, platform) };
}

/** A session of an operator of a pod, as the administrator names one. */
async function podOperatorOf(t: TestApp, pod: TestAgent): Promise<Api> {
  const email = newPerson(t);
  await confirmAt(t, pod.accountId, email, t.clock.now(), 'operator');
  return openSession(t, email);
}

/** A session of a pod's recovery address. */
async function podSession(t: TestApp, pod: TestAgent, email: string): Promise<Api> {
  assert.equal((await pod.api.post('/v1/account/recovery-email', { email })).status, 200);
  return t.api(await followLink(t, (await loginLinks(t, email)).at(-1) as string));
}

onEngines('any', 'the mail policy of a platform', {}, (suite) => {
  it('G1: binds its pods: a pod reaches no recipient that its platform may not write to', async () => {
    const { t } = suite;
    const platform = await createAgent(t);
    const pod = await newPod(t, platform);
    await setPolicy(platform.api, { to: 'list', allow: ['good.example'], block: ['bad@good.example'] });
    const refused = await sendTo(platform, 'x@evil.example');
    assert.deepEqual(said(refused), [403, 'recipient_not_allowed', undefined]);
    assert.equal((await platform.api.post('/v1/pods', {})).body.error, 'operator_required', 'nor makes it another pod');
    assert.deepEqual((await pod.api.get(POLICY)).body.outbound.to, 'open', 'a pod sees its own policy');
    // Its own list lets out nothing that the platform's list bars.
    await setPolicy(pod.api, { to: 'list', allow: ['evil.example', 'good.example'], block: ['ben@good.example'] });
    const mails: [string | string[], object][] = [
      ['x@evil.example', {}],
      [['ada@good.example', 'x@evil.example'], {}],
      ['ada@good.example', { cc: 'x@evil.example' }],
      ['ada@good.example', { bcc: ['x@evil.example'] }],
      ['bad@good.example', {}],
      [platform.address, {}],
    ];
    for (const [to, more] of mails) assert.deepEqual(said(await sendTo(pod, to, more)), BARRED, JSON.stringify(to));
    const { body } = await sendTo(pod, 'x@evil.example');
    assert.deepEqual([body.recipient, /platform of this pod/.test(body.message)], ['x@evil.example', true]);
    const alias = { to: 'x@evil.example', subject: 'Hi', body: 'Hi' };
    assert.deepEqual(said(await pod.api.post(`/v1/inbox/${pod.address}/send`, alias)), BARRED);
    assert.deepEqual(said(await sendTo(pod, 'ben@good.example')), [403, 'recipient_not_allowed', undefined]);
    assert.equal((await sendTo(pod, 'ada@good.example')).status, 201);
    const left = (await t.outboxMails()).filter((mail) => mail.includes(`From: ${pod.address}`));
    assert.deepEqual(
      left.map((mail) => /^To: (.*?)\r?$/im.exec(mail)?.[1]),
      ['ada@good.example'],
    );
  });

  it('G1: binds a pod’s named key, delegate and client, and what the pod had before', async () => {
    const { t } = suite;
    const platform = await createAgent(t);
    const pod = await newPod(t, platform);
    const named = await pod.api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:send'] });
    const helper = await createAgent(t);
    const { id } = await delegate(t, pod.api, helper, { scopes: ['mail:send'] });
    const delegated = (await tokenFor(t, helper.key, id)).access_token;
    const { access } = await clientTokens(t, await podSession(t, pod, newPerson(t)));
    await setPolicy(platform.api, { block: ['evil.example'] });
    for (const key of [pod.key, named.body.api_key, delegated]) {
      const held = { api: t.api(key), address: pod.address };
      assert.deepEqual(said(await sendTo(held, 'x@evil.example')), BARRED);
      assert.equal((await sendTo(held, 'x@good.example')).status, 201);
    }
    const params = { name: 'send_mail', arguments: { to: 'x@evil.example', subject: 'Hello', text: 'Body' } };
    const called = await t
      .api(access)
      .post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        { accept: 'application/json, text/event-stream' },
      );
    assert.match(called.text, /recipient_not_allowed/);
    assert.deepEqual(
      (await t.outboxMails()).filter((mail) => mail.includes('evil.example')),
      [],
    );
  });

  it('G1: what the platform would hold is refused for a pod, as the platform cannot read its mail', async () => {
    const { t } = suite;
    const { platform, operator, pod } = await operated(t);
    await setPolicy(operator, { hold: 'always' });
    assert.equal((await sendTo(platform, 'ada@out.example')).status, 202);
    assert.deepEqual(said(await sendTo(pod, 'ada@out.example')), BARRED);
    await setPolicy(operator, { hold: 'first_contact', allow: ['friend.example'] });
    assert.deepEqual(said(await sendTo(pod, 'ada@out.example')), BARRED);
    assert.equal((await sendTo(pod, 'x@friend.example')).status, 201);
    await setPolicy(operator, { hold: 'never', secrets: 'hold' });
    assert.equal((await sendTo(platform, 'ada@out.example', SECRET)).status, 202);
    assert.deepEqual(said(await sendTo(pod, 'ada@out.example', SECRET)), BARRED);
    assert.equal((await sendTo(pod, 'ada@out.example')).status, 201);
    await setPolicy(operator, { secrets: 'reject' });
    assert.equal((await sendTo(platform, 'ada@out.example', SECRET)).body.error, 'secret_in_mail');
    assert.deepEqual(said(await sendTo(pod, 'ada@out.example', SECRET)), [403, 'secret_in_mail', 'platform']);
  });

  it('G1: a mail that a pod’s operator releases is judged by the platform as it is then', async () => {
    const { t } = suite;
    const { operator, pod } = await operated(t);
    const podOperator = await podOperatorOf(t, pod);
    await setPolicy(podOperator, { hold: 'always' });
    const open = { to: 'open', allow: [], block: [], hold: 'never', secrets: 'accept' };
    for (const tightened of [{ to: 'list' }, { block: ['out.example'] }, { hold: 'always' }, { secrets: 'reject' }]) {
      await setPolicy(operator, open);
      const { review_id: id, id: outboxId } = (await sendTo(pod, 'ada@out.example', SECRET)).body;
      await setPolicy(operator, tightened);
      const approved = await podOperator.post(`/v1/email/reviews/${id}/approve`, {});
      assert.match(
        approved.body.error,
        /(recipient_not_allowed|secret_in_mail): .*platform of this pod/,
        approved.text,
      );
      assert.equal((await pod.api.get(`/v1/email/outbox/${outboxId}`)).body.status, 'failed');
    }
    assert.deepEqual(
      (await t.outboxMails()).filter((mail) => mail.includes(`From: ${pod.address}`)),
      [],
    );
  });

  it('G1: a scheduled draft is judged by the platform when it leaves', async () => {
    const { t } = suite;
    const platform = await createAgent(t);
    const pod = await newPod(t, platform);
    const at = new Date(t.clock.now() + 3_600_000).toISOString();
    const fields = { to: 'x@evil.example', subject: 'Later', text: 'Words', send_at: at };
    const { draft_id: id } = (await pod.api.post('/v1/email/drafts', fields)).body;
    await setPolicy(platform.api, { to: 'list', allow: ['good.example'] });
    t.clock.advance(3_600_000);
    await t.app.worker.runDue();
    const { status, error } = (await pod.api.get(`/v1/email/drafts/${id}`)).body;
    assert.deepEqual([status, error.split(':')[0]], ['failed', 'recipient_not_allowed']);
    const now = await pod.api.post('/v1/email/drafts', { ...fields, send_at: undefined });
    assert.deepEqual(said(await pod.api.post(`/v1/email/drafts/${now.body.draft_id}/send`)), BARRED);
  });

  it('G1: while a platform writes only to a list, its pods’ credentials open no other way out', async () => {
    const { t } = suite;
    const { platform, email, operator, pod } = await operated(t);
    const hook = (host: string, path = 'hook') => ({ url: `http://${host}/${path}`, events: ['email.received'] });
    const old = await pod.api.post('/v1/webhooks', hook('127.0.0.1:9'));
    const named = await pod.api.post('/v1/account/keys', { name: 'ci', scopes: ['webhooks:manage', 'events:read'] });
    const helper = await createAgent(t);
    const { id } = await delegate(t, pod.api, helper, { scopes: ['trust:write'] });
    const delegated = t.api((await tokenFor(t, helper.key, id)).access_token);
    const people = await podSession(t, pod, newPerson(t));
    const podOperator = await podOperatorOf(t, pod);
    await setPolicy(operator, { to: 'list', allow: ['good.example'] });
    const needsOperator = [403, 'operator_required', 'platform'];
    const shared = { topic: 'x', content: 'y', shared: true };
    for (const api of [pod.api, t.api(named.body.api_key), people, podOperator])
      assert.deepEqual(said(await api.post('/v1/webhooks', hook('127.0.0.1:10'))), needsOperator);
    const moved = await pod.api.patch(`/v1/webhooks/${old.body.id}`, { url: hook('127.0.0.1:10').url });
    assert.deepEqual(said(moved), needsOperator);
    const ofAddress = { address: pod.address, url: hook('127.0.0.1:10').url };
    assert.deepEqual(said(await pod.api.post('/v1/email/webhooks', ofAddress)), needsOperator);
    const event = {
      event: 'e',
      agent_id: 'a',
      timestamp: '2026-01-14T12:00:00Z',
      action_type: 'decision',
      outcome: 'success',
    };
    for (const api of [pod.api, people, delegated]) {
      assert.deepEqual(said(await api.post('/v1/observations', shared)), needsOperator);
      assert.deepEqual(said(await api.post('/v1/telemetry/submit', event)), needsOperator);
    }
    // What is there stays, and sends nothing.
    const { status, paused, paused_reason } = (await pod.api.get(`/v1/webhooks/${old.body.id}`)).body;
    assert.deepEqual([status, paused, paused_reason], ['active', true, 'policy']);
    assert.equal((await pod.api.post('/v1/observations', { ...shared, shared: false })).status, 201);
    assert.deepEqual(said(await platform.api.post('/v1/pods', {})), [403, 'operator_required', undefined]);
    // A person who decides for the platform may.
    assert.equal((await operator.put('/v1/account/policy', { ways: { invite: 'open' } })).status, 200);
    const decider = await podSession(t, pod, email);
    assert.equal((await decider.post('/v1/webhooks', hook('127.0.0.1:10'))).status, 201);
    assert.equal((await decider.post('/v1/observations', shared)).status, 201);
    await setPolicy(operator, { to: 'open' });
    assert.equal((await pod.api.post('/v1/observations', shared)).status, 201);
  });
});

onEngines('both', 'the mail policy of a platform', {}, (suite) => {
  it('G1: `after_suspicious` counts what the pod read and what the platform read', async () => {
    const { t } = suite;
    const { platform, operator, pod } = await operated(t);
    const other = await newPod(t, platform);
    await setPolicy(operator, { hold: 'after_suspicious' });
    assert.equal((await sendTo(pod, 'ada@out.example')).status, 201);
    const read = (accountId: string) =>
      t.sql('insert into suspicious_reads (account_id, read_at) values (?, ?)', accountId, t.clock.now());
    await read(pod.accountId);
    assert.deepEqual(said(await sendTo(pod, 'ada@out.example')), BARRED);
    assert.equal((await sendTo(other, 'ada@out.example')).status, 201);
    await read(platform.accountId);
    assert.deepEqual(said(await sendTo(other, 'ada@out.example')), BARRED);
    t.clock.advance(30 * 60_000);
    assert.equal((await sendTo(other, 'ada@out.example')).status, 201);
  });

  it('G1: `known` is known to the platform: what a pod’s own operator approves opens nothing', async () => {
    const { t } = suite;
    const { platform, operator, pod } = await operated(t);
    const podOperator = await podOperatorOf(t, pod);
    await setPolicy(podOperator, { hold: 'first_contact' });
    const { review_id: id } = (await sendTo(pod, 'ada@out.example')).body;
    const remember = { remember: 'recipient' };
    assert.equal((await podOperator.post(`/v1/email/reviews/${id}/approve`, remember)).body.error, null);
    assert.equal((await sendTo(pod, 'ada@out.example')).status, 201);
    await setPolicy(operator, { to: 'known' });
    assert.deepEqual(said(await sendTo(pod, 'ada@out.example')), BARRED);
    assert.equal((await sendTo(platform, 'ada@out.example')).body.error, 'recipient_not_allowed');
    await setPolicy(operator, { hold: 'first_contact' });
    const asked = await sendTo(platform, 'ada@out.example');
    assert.equal((await operator.post(`/v1/email/reviews/${asked.body.review_id}/approve`, remember)).body.error, null);
    assert.equal((await sendTo(pod, 'ada@out.example')).status, 201);
  });

  it('G1: `max_recipients_per_day` counts the platform and its pods together; what was not sent is given back', async () => {
    const { t } = suite;
    const platform = await createAgent(t);
    const pod = await newPod(t, platform);
    const other = await newPod(t, platform);
    await setPolicy(platform.api, { max_recipients_per_day: 4 });
    const podOperator = await podOperatorOf(t, pod);
    await setPolicy(podOperator, { hold: 'always', max_recipients_per_day: 4 });
    const held = await sendTo(pod, ['a@out.example', 'b@out.example', 'c@out.example', 'd@out.example']);
    assert.equal(held.status, 202, held.text);
    const over = await sendTo(platform, 'e@out.example');
    assert.deepEqual([...said(over), over.body.limit.used], [429, 'rate_limited', undefined, 4]);
    assert.deepEqual(said(await sendTo(other, 'e@out.example')), [429, 'rate_limited', 'platform']);
    await podOperator.post(`/v1/email/reviews/${held.body.review_id}/reject`, {});
    await setPolicy(podOperator, { hold: 'never' });
    assert.equal((await sendTo(platform, 'a@out.example')).status, 201);
    const races = await Promise.all(
      [1, 2, 3, 4].flatMap((n) => [pod, other].map((one) => sendTo(one, `${n}@out.example`))),
    );
    const count = (status: number) => races.filter((reply) => reply.status === status).length;
    assert.deepEqual([count(201), count(429)], [3, 5]);
    // What only the platform refused does not count at the pod.
    t.clock.advance(DAY_MS);
    assert.equal((await sendTo(platform, ['a@out.example', 'b@out.example'])).status, 201);
    assert.deepEqual(said(await sendTo(pod, ['a@out.example', 'b@out.example', 'c@out.example'])), [
      429,
      'rate_limited',
      'platform',
    ]);
    await setPolicy(platform.api, { max_recipients_per_day: null });
    assert.equal((await sendTo(pod, ['1@a.example', '2@a.example', '3@a.example', '4@a.example'])).status, 201);
  });
});
