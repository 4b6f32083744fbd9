import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';

const POLICY = '/v1/email/policy';
const DEFAULT = {
  inbound: { from: 'open', allow: [], block: [], unauthenticated: 'accept', suspicious: 'accept', dangerous: 'accept' },
  outbound: {
    to: 'open',
    otherwise: 'refuse',
    allow: [],
    block: [],
    hold: 'never',
    secrets: 'accept',
    max_recipients_per_day: null,
  },
};

const sendTo = ({ api, address }: TestAgent, to: string | string[], more: object = {}) =>
  api.post('/v1/email/send', { from: address, to, subject: 'Hello', text: 'Body', ...more });

const allow = async ({ api }: TestAgent, outbound: object, query = ''): Promise<void> => {
  const changed = await api.put(POLICY + query, { outbound });
  assert.equal(changed.status, 200, changed.text);
};

onEngines('any', 'the mail policy', {}, (suite) => {
  it('is open by default; PUT sets the given fields and answers the whole policy', async () => {
    const ada = await createAgent(suite.t);
    assert.deepEqual((await ada.api.get(POLICY)).body, DEFAULT);
    const list = ['Ada@Example.com', 'example.org', '*.example.net', 'example.org'];
    const changed = await ada.api.put(POLICY, { outbound: { to: 'list', allow: list, max_recipients_per_day: 5 } });
    const kept = ['ada@example.com', 'example.org', '*.example.net'];
    const outbound = { ...DEFAULT.outbound, to: 'list', allow: kept, max_recipients_per_day: 5 };
    assert.deepEqual([changed.status, changed.body], [200, { ...DEFAULT, outbound }]);
    await ada.api.put(POLICY, { inbound: { from: 'list' } });
    const inbound = { ...DEFAULT.inbound, from: 'list' };
    assert.deepEqual((await ada.api.get(POLICY)).body, { inbound, outbound });
    // An address takes from the account what it does not set itself.
    const own = `${POLICY}?address=${ada.address}`;
    await ada.api.put(own, { outbound: { to: 'known' } });
    assert.deepEqual((await ada.api.get(own)).body, { inbound, outbound: { ...outbound, to: 'known' } });
    assert.deepEqual((await ada.api.get(POLICY)).body, { inbound, outbound });
  });

  it('400: refuses what is no address or domain, and changes nothing; another account’s address is 403', async () => {
    const ada = await createAgent(suite.t);
    for (const bad of ['', 'a@', '*', '*.', '*x.example', 'a b.example', 'x@-a.com']) {
      const { status, body } = await ada.api.put(POLICY, { outbound: { allow: ['fine.example', bad] } });
      assert.deepEqual([bad, status, body.details?.[0].path], [bad, 400, '/body/outbound/allow/1']);
    }
    for (const outbound of [
      { to: 'nobody' },
      { otherwise: 'hold' },
      { hold: 'sometimes' },
      { max_recipients_per_day: 0 },
      { surprise: 1 },
    ])
      assert.equal((await ada.api.put(POLICY, { outbound })).status, 400);
    assert.deepEqual((await ada.api.get(POLICY)).body, DEFAULT);
    const bob = await createAgent(suite.t);
    assert.equal((await ada.api.put(`${POLICY}?address=${bob.address}`, {})).status, 403);
    assert.equal((await ada.api.put(`${POLICY}?address=nobody-has-this`, {})).status, 404);
  });

  it('is changed by the authority alone: a named key never, and where the operator decides only an operator', async () => {
    const ada = await createAgent(suite.t);
    const named = await ada.api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:read', 'mail:manage'] });
    const ci = suite.t.api(named.body.api_key);
    assert.equal((await ci.put(POLICY, { outbound: { to: 'open' } })).body.error, 'insufficient_scope');
    assert.equal((await ci.get(POLICY)).status, 200);
    const boss = `boss-${ada.accountId}@example.com`;
    await confirmOperator(suite.t, ada, boss, 'operator');
    const refused = await ada.api.put(POLICY, { outbound: { to: 'list' } });
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    const operator = await openSession(suite.t, boss);
    assert.equal((await operator.put(POLICY, { outbound: { to: 'list', hold: 'always' } })).status, 200);
    assert.equal((await ada.api.get(POLICY)).body.outbound.hold, 'always');
  });

  it('G2: under `to: list` and `authority: operator` no key shares an observation, reports on others or adds a webhook; an operator may', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const boss = `boss-${ada.accountId}@example.com`;
    await confirmOperator(t, ada, boss, 'operator');
    const scopes = ['trust:write', 'webhooks:manage', 'events:read'];
    const named = t.api((await ada.api.post('/v1/account/keys', { name: 'ci', scopes })).body.api_key);
    const operator = await openSession(t, boss);
    await allow({ ...ada, api: operator }, { to: 'list', allow: ['friend.example'] });
    const shared = { topic: 'x', content: 'y', shared: true };
    const hook = { url: 'https://new.example/hook', events: ['email.received'] };
    const event = { event: 'e', agent_id: 'a', action_type: 'decision', outcome: 'success' };
    const calls: [string, object][] = [
      ['/v1/observations', shared],
      ['/v1/telemetry/submit', { ...event, timestamp: '2026-01-14T12:00:00Z' }],
      ['/v1/webhooks', hook],
    ];
    for (const [path, body] of calls) {
      for (const api of [ada.api, named]) assert.equal((await api.post(path, body)).status, 403, path);
      const decided = await operator.post(path, body);
      assert.equal(decided.status, 201, `${path}: ${decided.text}`);
    }
  });

  it('409 operator_email_required: keeps back nothing that nobody could release', async () => {
    const ada = await createAgent(suite.t);
    for (const outbound of [
      { hold: 'first_contact' },
      { hold: 'always' },
      { secrets: 'hold' },
      { otherwise: 'review' },
    ]) {
      const { status, body } = await ada.api.put(POLICY, { outbound });
      assert.deepEqual([outbound, status, body.error], [outbound, 409, 'operator_email_required']);
    }
    // The account has the authority, so its primary key releases.
    assert.equal((await ada.api.put(POLICY, { inbound: { dangerous: 'quarantine' } })).status, 200);
  });

  it('403 recipient_not_allowed: `list` allows addresses, domains and subdomains; the narrowest entry decides', async () => {
    const ada = await createAgent(suite.t);
    await allow(ada, {
      to: 'list',
      allow: ['ada@example.com', 'example.org', '*.example.net', 'tie.example', 'bücher.example'],
      block: ['eve@example.org', 'bad.example.net', '*.bad.example.net', 'tie.example'],
    });
    const allowed = ['ADA@example.com', 'x@example.org', 'x@a.b.example.net', 'x@xn--bcher-kva.example'];
    for (const to of allowed) assert.equal((await sendTo(ada, to)).status, 201, to);
    const refused = [
      ...['bob@example.com', 'Eve@example.org', 'x@sub.example.org', 'x@example.net', 'x@tie.example'],
      ...['x@bad.example.net', 'x@a.bad.example.net', ada.address],
    ];
    for (const to of refused) {
      const { status, body } = await sendTo(ada, ['ada@example.com', to]);
      assert.deepEqual([to, status, body.error], [to, 403, 'recipient_not_allowed']);
      assert.match(body.message, new RegExp(to.replaceAll('.', '\\.'), 'i'));
    }
    for (const more of [{ cc: 'bob@example.com' }, { bcc: ['bob@example.com'] }])
      assert.equal((await sendTo(ada, 'ada@example.com', more)).body.error, 'recipient_not_allowed');
    const path = `/v1/inbox/${ada.address}/send`;
    const alias = await ada.api.post(path, { to: 'bob@example.com', subject: 'Hi', body: 'Hi' });
    assert.equal(alias.body.error, 'recipient_not_allowed');
    assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_used, allowed.length);
  });

  it('N7: an address that a server of an allowed domain may send on to another host is not on the list', async () => {
    const ada = await createAgent(suite.t);
    await allow(ada, { to: 'list', allow: ['example.org'] });
    assert.equal((await sendTo(ada, 'ada@example.org')).status, 201);
    for (const to of ['thief%evil.example@example.org', 'evil.example!thief@example.org']) {
      const { status, body } = await sendTo(ada, to);
      assert.deepEqual([to, status, body.error], [to, 403, 'recipient_not_allowed']);
    }
  });

  it('`known`: a mail that comes in makes nobody known', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const bob = await createAgent(t);
    await sendTo(bob, ada.address);
    await allow(ada, { to: 'known', allow: ['friend.example'] });
    assert.equal((await sendTo(ada, bob.address)).body.error, 'recipient_not_allowed');
    assert.equal((await sendTo(ada, 'x@friend.example')).status, 201);
  });

  it('403 secret_in_mail: always for a key of this service, and for well-known kinds with `secrets: reject`', async () => {
    const ada = await createAgent(suite.t);
    const file = (content: string) => [{ filename: 'a.txt', content: Buffer.from(content).toString('base64') }];
    const split = `${ada.key.slice(0, 20)}\u200b${ada.key.slice(20)}`;
    const own = [
      { text: `the key: ${ada.key}` },
      { html: `<p>${ada.key}</p>` },
      { html: `<p>${ada.key.slice(0, 20)}<b></b>${ada.key.slice(20)}</p>`, text: undefined },
      { subject: split },
      { attachments: file(`\0binary ${ada.key}`) },
      { attachments: [{ filename: `${ada.key}.txt`, content: '' }] },
      { attachments: [{ filename: 'a.txt', content_type: `text/${ada.key}`, content: '' }] },
    ];
    for (const more of own) assert.equal((await sendTo(ada, 'x@example.com', more)).body.error, 'secret_in_mail');
    // In parts, so that no scanner of sources takes it for a real one.
    const known = { text: `use ${'AKIA'}IOSFODNN7EXAMPLE`, attachments: file('nothing') };
    assert.equal((await sendTo(ada, 'x@example.com', known)).status, 201);
    await allow(ada, { secrets: 'reject' });
    assert.equal((await sendTo(ada, 'x@example.com', known)).body.error, 'secret_in_mail');
    const key = { attachments: file(`-----BEGIN ${'OPENSSH'} PRIVATE KEY-----`) };
    assert.equal((await sendTo(ada, 'x@example.com', key)).body.error, 'secret_in_mail');
    assert.equal((await sendTo(ada, 'x@example.com', { text: 'risk-free sk-short' })).status, 201);
    // The line of the description is folded within the secret.
    const description = `${'a '.repeat(28)}${'AKIA'}IOSFODNN7EXAMPLE`;
    const times = { start: '2026-01-20T09:00:00Z', end: '2026-01-20T10:00:00Z' };
    const event = { summary: 'Tea', ...times, description, attendees: ['x@example.com'] };
    const invited = await ada.api.post('/v1/calendar/events', event);
    assert.equal(invited.body.attendee_status[0].reason, 'secret_in_mail');
    const named = { display_name: `${'AKIA'}IOSFODNN7EXAMPLE` };
    assert.equal((await ada.api.patch(`/v1/email/addresses/${ada.address}`, named)).status, 200);
    assert.equal((await sendTo(ada, 'x@example.com')).body.error, 'secret_in_mail');
  });
});

onEngines('both', 'the mail policy', {}, (suite) => {
  it('429: counts recipients by the day, for the account and for an address, all of a mail or none', async () => {
    const ada = await createAgent(suite.t);
    await allow(ada, { max_recipients_per_day: 3 });
    await allow(ada, { max_recipients_per_day: 2 }, `?address=${ada.address}`);
    assert.equal((await sendTo(ada, ['a@example.com', 'b@example.com', 'c@example.com'])).status, 429);
    assert.equal((await sendTo(ada, ['a@example.com', 'b@example.com'])).status, 201);
    const over = await sendTo(ada, 'c@example.com');
    assert.deepEqual([over.status, over.body.limit], [429, { name: 'max_recipients_per_day', used: 2, max: 2 }]);
    const other = await createAgent(suite.t, {}, ada);
    const races = await Promise.all(['d', 'e'].map((name) => sendTo(other, `${name}@example.com`)));
    assert.deepEqual(races.map(({ status }) => status).sort(), [201, 429]);
    suite.t.clock.advance(86_400_000);
    assert.equal((await sendTo(ada, 'c@example.com')).status, 201);
  });
});
