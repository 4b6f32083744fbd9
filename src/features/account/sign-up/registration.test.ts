import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ApiReply, onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { HOUR_MS } from '../../../base/period.ts';

const DOMAIN = 'agents.localhost';
const register = (t: TestApp, body: unknown) => t.api().post('/v1/register', body);
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const count = async (t: TestApp, table: string) => Number((await t.sql(`select count(*) as n from ${table}`))[0]?.n);

/** Status and code of a refusal, in a form that is easily compared. */
const refusal = ({ status, body }: ApiReply) => `${status} ${body.error}`;

const BAD_ADDRESSES = [
  'ada@example.com',
  `ada@sub.${DOMAIN}`,
  `.ada@${DOMAIN}`,
  `ada.@${DOMAIN}`,
  `a..da@${DOMAIN}`,
  `ada lovelace@${DOMAIN}`,
  `ada+tag@${DOMAIN}`,
  `${'a'.repeat(65)}@${DOMAIN}`,
  `łukasz@${DOMAIN}`,
  `@${DOMAIN}`,
  `a@b@${DOMAIN}`,
  `postmaster@${DOMAIN}`,
  `Support@${DOMAIN}`,
  'no-reply',
  '',
  'x'.repeat(300),
];

onEngines('any', 'POST /v1/register', {}, (suite) => {
  it('201 with a name: every field of the specification, and an address made from the name', async () => {
    const { t } = suite;
    const { status, body } = await register(t, { name: 'Ada Lovelace!' });
    assert.equal(status, 201);
    assert.match(body.api_key, /^signet_live_[0-9A-Za-z]{38}$/);
    assert.match(body.account_id, /^acc_[0-9a-hjkmnp-tv-z]{26}$/);
    const { api_key, account_id, limits } = body;
    assert.deepEqual(body, { api_key, account_id, email: `ada-lovelace@${DOMAIN}`, tier: 'free', limits });
    const me = (await t.api(api_key).get('/v1/account/me')).body;
    assert.deepEqual([me.id, me.name], [account_id, 'Ada Lovelace!']);
  });

  it('makes an address from a name in any script; a name without a spelling in a-z gets a generated one', async () => {
    const { t } = suite;
    const made = {
      'Zoë Müller': /^zoe-muller@/,
      Łukasz: /^lukasz@/,
      Straße: /^strasse@/,
      王小明: /^wangxiaoming@/,
      مرحبا: /^mrhb@/,
      '🤖': /^robot@/,
      '「」': /^agent-[0-9a-hjkmnp-tv-z]{8}@/,
    };
    for (const [name, address] of Object.entries(made)) {
      const { status, body } = await register(t, { name });
      assert.equal(status, 201, name);
      assert.match(body.email, address);
      assert.equal((await t.api(body.api_key).get('/v1/account/me')).body.name, name);
    }
  });

  it('201 with an address in any case; it receives mail at once', async () => {
    const { t } = suite;
    const { status, body } = await register(t, { address: `Grace.Hopper@${DOMAIN.toUpperCase()}` });
    assert.deepEqual([status, body.email], [201, `grace.hopper@${DOMAIN}`]);
    await t.sendSmtp({ to: body.email, subject: 'Welcome', text: 'Hello' });
    const inbox = await t.api(body.api_key).get(`/v1/email/inbox?address=${body.email}`);
    assert.deepEqual(
      inbox.body.messages.map((mail: { subject: string }) => mail.subject),
      ['Welcome'],
    );
  });

  it('201 with both: claims the given address; the name is a label', async () => {
    const { t } = suite;
    const { status, body } = await register(t, { name: 'Katherine', address: `kj@${DOMAIN}` });
    assert.deepEqual([status, body.email], [201, `kj@${DOMAIN}`]);
    assert.equal((await t.api(body.api_key).get('/v1/account/me')).body.name, 'Katherine');
  });

  it('stores recovery email and capabilities; the recovery email logs in', async () => {
    const { t } = suite;
    const capabilities = times(10, (i) => `skill ${i}`);
    const email = 'recover@example.com';
    const { body } = await register(t, { name: 'Kept', recovery_email: 'Recover@Example.com', capabilities });
    const me = (await t.api(body.api_key).get('/v1/account/me')).body;
    assert.deepEqual([me.recovery_email, me.capabilities], [email, capabilities]);
    await t.api().post('/v1/auth/login', { email });
    const { status } = await t
      .api()
      .get(
        `/v1/auth/verify?token=${tokenIn((await t.outboxMails()).findLast((mail) => mail.includes('/login#')) ?? '')}`,
      );
    assert.equal(status, 302);
  });

  it('appends four digits to a name that is taken or reserved', async () => {
    const { t } = suite;
    assert.equal((await register(t, { name: 'Twin' })).body.email, `twin@${DOMAIN}`);
    assert.match((await register(t, { name: 'twin' })).body.email, /^twin\d{4}@agents\.localhost$/);
    assert.match((await register(t, { name: 'Postmaster' })).body.email, /^postmaster\d{4}@agents\.localhost$/);
  });

  it('409 address_unavailable: a taken address; creates no account', async () => {
    const { t } = suite;
    await register(t, { address: `taken@${DOMAIN}` });
    const before = await Promise.all([count(t, 'accounts'), count(t, 'api_keys'), count(t, 'audit_entries')]);
    for (const body of [{ address: `taken@${DOMAIN}` }, { address: 'TAKEN' }, { name: 'x', address: 'taken' }])
      assert.equal(refusal(await register(t, body)), '409 address_unavailable');
    const after = await Promise.all([count(t, 'accounts'), count(t, 'api_keys'), count(t, 'audit_entries')]);
    assert.deepEqual(after, before);
  });

  it('400 invalid_address: another domain, dots in wrong places, reserved, too long, empty', async () => {
    const { t } = suite;
    const before = await count(t, 'accounts');
    for (const address of BAD_ADDRESSES)
      assert.equal(`${address}: ${refusal(await register(t, { address }))}`, `${address}: 400 invalid_address`);
    assert.equal(refusal(await register(t, { address: 7 })), '400 invalid_address');
    assert.equal(await count(t, 'accounts'), before);
  });

  it('400 invalid_request naming the field: neither name nor address, an unusable name, 11 capabilities and more', async () => {
    const { t } = suite;
    const bad: [unknown, string][] = [
      [{}, '/body/name'],
      [undefined, '/body/name'],
      [{ capabilities: [] }, '/body/name'],
      [{ name: '!!!' }, '/body/name'],
      [{ name: '' }, '/body/name'],
      [{ name: 'x'.repeat(101) }, '/body/name'],
      [{ name: 'Ada\nEve' }, '/body/name'],
      [{ name: 'x', recovery_email: 'nobody' }, '/body/recovery_email'],
      [{ name: 'x', capabilities: times(11, String) }, '/body/capabilities'],
      [{ name: 'x', capabilities: 'all' }, '/body/capabilities'],
      [{ name: 'x', capabilities: ['a\nb'] }, '/body/capabilities/0'],
    ];
    for (const [body, path] of bad) {
      const refused = await register(t, body);
      assert.equal(refusal(refused), '400 invalid_request');
      assert.equal(refused.body.details[0].path, path);
    }
  });
});

onEngines('both', 'POST /v1/register', {}, (suite) => {
  it('20 parallel registrations of one name: all 201, each with its own address', async () => {
    const { t } = suite;
    const replies = await Promise.all(times(20, () => register(t, { name: 'Legion' })));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    const emails = replies.map(({ body }) => body.email as string);
    assert.equal(new Set(emails).size, 20);
    assert.equal(emails.filter((email) => email === `legion@${DOMAIN}`).length, 1);
    assert.ok(emails.every((email) => /^legion(\d{4})?@agents\.localhost$/.test(email)));
    const { length } = await t.sql(`select address from addresses where address like 'legion%'`);
    assert.equal(length, 20);
  });

  it('20 parallel registrations of one address: one 201, 19 times 409 address_unavailable, one account', async () => {
    const { t } = suite;
    const before = await count(t, 'accounts');
    const replies = await Promise.all(times(20, () => register(t, { address: `only@${DOMAIN}` })));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter((reply) => refusal(reply) === '409 address_unavailable').length, 19);
    assert.equal((await count(t, 'accounts')) - before, 1);
  });
});

onEngines('any', 'POST /v1/register: the rate limit', { defaultLimits: true }, (suite) => {
  it('429 rate_limited with Retry-After: the sixth from one network within an hour; refused calls do not count', async () => {
    const { t } = suite;
    t.clock.advance(HOUR_MS);
    for (let i = 0; i < 5; i++) {
      assert.equal((await register(t, { address: 'postmaster' })).status, 400);
      assert.equal((await register(t, { name: `Visitor ${i}` })).status, 201);
    }
    const refused = await register(t, { name: 'Visitor 6' });
    assert.equal(refusal(refused), '429 rate_limited');
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.equal(refused.body.retry_after, 3600);
    t.clock.advance(HOUR_MS);
    assert.equal((await register(t, { name: 'Visitor 6' })).status, 201);
  });
});

onEngines('both', 'POST /v1/register: the rate limit', { defaultLimits: true }, (suite) => {
  it('20 parallel registrations from one network: five 201, fifteen 429', async () => {
    const { t } = suite;
    t.clock.advance(HOUR_MS);
    const replies = await Promise.all(times(20, (i) => register(t, { name: `Many ${i}` })));
    assert.equal(replies.filter(({ status }) => status === 201).length, 5);
    assert.equal(replies.filter(({ status }) => status === 429).length, 15);
  });
});

for (const TRUST_PROXY of ['1', '127.0.0.0/8']) {
  const options = { defaultLimits: true, env: { TRUST_PROXY } };
  onEngines('any', `networks behind a trusted proxy, TRUST_PROXY=${TRUST_PROXY}`, options, (suite) => {
    const from = (t: TestApp, ip: string) =>
      t.api().post('/v1/register', { name: 'Proxied' }, { 'x-forwarded-for': ip });

    it('counts each IPv4 address, and each /64 of IPv6', async () => {
      const { t } = suite;
      for (let i = 0; i < 5; i++) assert.equal((await from(t, `2001:db8:1:2::${i + 1}`)).status, 201);
      assert.equal((await from(t, '2001:db8:1:2:ffff::1')).status, 429);
      assert.equal((await from(t, '2001:db8:1:3::1')).status, 201);
      for (let i = 0; i < 5; i++) assert.equal((await from(t, '198.51.100.7')).status, 201);
      assert.equal((await from(t, '::ffff:198.51.100.7')).status, 429);
      assert.equal((await from(t, '198.51.100.8')).status, 201);
    });

    it('ignores entries that the client puts in front of the proxy’s entry', async () => {
      const { t } = suite;
      for (let i = 0; i < 5; i++) assert.equal((await from(t, `203.0.113.${i}, 192.0.2.9`)).status, 201);
      assert.equal((await from(t, '203.0.113.99, 192.0.2.9')).status, 429);
    });
  });
}

onEngines('any', 'networks without a trusted proxy', { defaultLimits: true }, (suite) => {
  it('ignores X-Forwarded-For', async () => {
    const { t } = suite;
    t.clock.advance(HOUR_MS);
    const from = (ip: string) => t.api().post('/v1/register', { name: 'Direct' }, { 'x-forwarded-for': ip });
    for (let i = 0; i < 5; i++) assert.equal((await from(`198.51.100.${i}`)).status, 201);
    assert.equal((await from('198.51.100.99')).status, 429);
  });
});
