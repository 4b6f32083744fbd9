import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { it } from 'node:test';
import { createTestDns, publish } from '../../../../test/support/dns.ts';
import { onEngines, type TestAccount } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { DAY_MS } from '../../../base/period.ts';

const dns = createTestDns();
const ROOMY = { limits: { free: { stacks: 50 } }, resolveDns: dns.resolve };
let domains = 0;
const freshDomain = (): string => `customer-${process.pid}-${domains++}.example`;
const setUp = async ({ api }: TestAccount, domain = freshDomain()) => (await api.post('/v1/stack', { domain })).body;
const verify = ({ api }: TestAccount, { id }: { id: string }) => api.post(`/v1/stack/${id}/verify`);
const statusesOf = (body: { records: { purpose: string; status: string }[] }) =>
  Object.fromEntries(body.records.map(({ purpose, status }) => [purpose, status]));
const ALL_FOUND = { ownership: 'found', mx: 'found', spf: 'found', dkim: 'found', dmarc: 'found' };

onEngines('any', '/v1/stack', ROOMY, (suite) => {
  it('POST returns 201 with every record to set and a DKIM key for this domain; GET returns the same', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const domain = freshDomain();
    const { status, body } = await account.api.post('/v1/stack', { domain: ` ${domain.toUpperCase()}. ` });
    assert.deepEqual([status, body.domain, body.status, body.nameservers], [201, domain, 'provisioning', []]);
    assert.match(body.id, /^stk_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.ok(body.next_steps.length > 0);
    const places = body.records.map(({ purpose, type, name }: Record<string, string>) => [purpose, type, name]);
    assert.deepEqual(places, [
      ['ownership', 'TXT', `_signet.${domain}`],
      ['mx', 'MX', domain],
      ['spf', 'TXT', domain],
      ['dkim', 'TXT', `signet._domainkey.${domain}`],
      ['dmarc', 'TXT', `_dmarc.${domain}`],
    ]);
    const value = (purpose: string) => body.records.find((one: { purpose: string }) => one.purpose === purpose).value;
    assert.match(value('ownership'), /^signet-verification=[0-9A-Za-z]{32}$/);
    assert.deepEqual([value('mx'), value('spf')], ['agents.localhost', 'v=spf1 include:agents.localhost ~all']);
    const key = Buffer.from(/p=(.+)$/.exec(value('dkim'))?.[1] ?? '', 'base64');
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'der', type: 'spki' });
    assert.equal(asymmetricKeyDetails?.modulusLength, 2048);
    assert.deepEqual((await account.api.get(`/v1/stack/${body.id}`)).body, body);
    assert.deepEqual((await account.api.get('/v1/stack')).body, { stacks: [body], count: 1, next_cursor: null });
    const other = await setUp(account);
    assert.notEqual(other.records[3].value, body.records[3].value);
    assert.notEqual(other.records[0].value, body.records[0].value);
  });

  it('409 stack_exists with the id: the same domain again, and an IDN in its other spelling', async () => {
    const account = await suite.t.createAccount();
    const stack = await setUp(account, 'bücher-laden.example');
    assert.equal(stack.domain, 'xn--bcher-laden-thb.example');
    const { status, body } = await account.api.post('/v1/stack', { domain: 'XN--BCHER-LADEN-THB.example' });
    assert.deepEqual([status, body.error, body.id], [409, 'stack_exists', stack.id]);
  });

  it('400 invalid_domain: names that no account can own or that mail cannot reach', async () => {
    const { api } = await suite.t.createAccount();
    const refused = ['', 'localhost', 'a.localhost', 'com', 'co.uk', 'github.io', '192.0.2.1', '[::1]', '1.2.3'];
    refused.push('agents.localhost', 'x.agents.localhost', 'printer.local', 'a_b.com', '-a.com', 'a..com', 'a b.com');
    refused.push(
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(120)}com`,
      'http://a.com',
      'a@b.com',
      'a.com/',
      'xn--a.com',
      'a.com\n',
    );
    for (const domain of refused) {
      const { status, body } = await api.post('/v1/stack', { domain });
      assert.deepEqual([status, body.error], [400, 'invalid_domain'], JSON.stringify(domain));
    }
    assert.equal((await api.get('/v1/stack')).body.count, 0);
  });

  it('verify reports the result for each record; a complete set activates the stack', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const stack = await setUp(account);
    const { domain } = stack;
    const first = await verify(account, stack);
    assert.equal(first.status, 200);
    assert.deepEqual(new Set(Object.values(statusesOf(first.body))), new Set(['missing']));
    dns.set('TXT', domain, 'v=spf1 include:_spf.elsewhere.example -all');
    dns.set('TXT', domain, 'something-else=1');
    dns.set('MX', domain, 'mail.elsewhere.example');
    dns.set('TXT', stack.records[3].name, 'v=DKIM1; k=rsa; p=AAAA');
    dns.set('TXT', stack.records[0].name, 'signet-verification=another');
    dns.set('NS', domain, 'ns1.registrar.example');
    const second = (await verify(account, stack)).body;
    const wrong = { ownership: 'different', mx: 'different', spf: 'different', dkim: 'different', dmarc: 'missing' };
    assert.deepEqual([second.status, statusesOf(second)], ['provisioning', wrong]);
    assert.deepEqual(second.records[2].found, ['v=spf1 include:_spf.elsewhere.example -all']);
    assert.deepEqual(second.nameservers, ['ns1.registrar.example']);
    dns.clear('TXT', domain);
    dns.set('TXT', domain, 'v=spf1 include:_spf.elsewhere.example include:agents.localhost -all');
    for (const { purpose, type, name, value } of stack.records) if (purpose !== 'spf') dns.set(type, name, value);
    const third = (await verify(account, stack)).body;
    assert.deepEqual([third.status, statusesOf(third)], ['active', ALL_FOUND]);
    assert.equal(third.verified_at, new Date(t.clock.now()).toISOString());
    assert.deepEqual((await account.api.get(`/v1/stack/${stack.id}`)).body, third);
  });

  it('a DNS that does not answer changes only the reported results', async () => {
    const account = await suite.t.createAccount();
    const stack = await setUp(account);
    publish(dns, stack);
    assert.equal((await verify(account, stack)).body.status, 'active');
    dns.down = true;
    const { status, body } = await verify(account, stack);
    dns.down = false;
    assert.deepEqual([status, body.status, statusesOf(body).ownership], [200, 'active', 'unreachable']);
  });

  it('a stack fails after three days or when it loses its ownership record; verifying it later activates it', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const stack = await setUp(account);
    t.clock.advance(3 * DAY_MS - 1);
    assert.equal((await account.api.get(`/v1/stack/${stack.id}`)).body.status, 'provisioning');
    t.clock.advance(1);
    assert.equal((await account.api.get(`/v1/stack/${stack.id}`)).body.status, 'failed');
    publish(dns, stack);
    assert.equal((await verify(account, stack)).body.status, 'active');
    dns.clear('MX', stack.domain);
    assert.equal(
      (await verify(account, stack)).body.status,
      'active',
      'losing another record does not cost the domain',
    );
    dns.clear('TXT', `_signet.${stack.domain}`);
    const lost = (await verify(account, stack)).body;
    assert.deepEqual([lost.status, lost.verified_at], ['failed', null]);
    assert.equal((await account.api.post('/v1/email/claim', { address: `hello@${stack.domain}` })).status, 400);
  });

  it('an unverified stack blocks no other account; a verified domain moves only after its ownership record is gone', async () => {
    const { t } = suite;
    const domain = freshDomain();
    const [squatter, owner, buyer] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    await setUp(squatter, domain);
    const owned = await setUp(owner, domain);
    const bought = await setUp(buyer, domain);
    publish(dns, owned);
    const [mine, theirs] = await Promise.all([verify(owner, owned), verify(buyer, bought)]);
    assert.deepEqual([mine.body.status, theirs.body.status], ['active', 'provisioning']);
    publish(dns, bought);
    const refused = await verify(buyer, bought);
    assert.deepEqual([refused.status, refused.body.error], [409, 'domain_unavailable']);
    dns.clear('TXT', `_signet.${domain}`);
    dns.set('TXT', `_signet.${domain}`, bought.records[0].value);
    assert.equal((await verify(buyer, bought)).body.status, 'active');
    assert.equal((await owner.api.get(`/v1/stack/${owned.id}`)).body.status, 'failed');
  });

  it('another account’s stack gives the same 404 as a stack that does not exist', async () => {
    const { t } = suite;
    const stack = await setUp(await t.createAccount());
    const { api } = await t.createAccount();
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
    ] as const) {
      const theirs = await api(method, `/v1/stack/${stack.id}${suffix}`);
      const missing = await api(method, `/v1/stack/stk_${'0'.repeat(26)}${suffix}`);
      assert.deepEqual([theirs.status, theirs.text], [404, missing.text]);
    }
  });
});

onEngines('both', '/v1/stack', ROOMY, (suite) => {
  it('when several accounts verify one domain at the same time, exactly one gets it', async () => {
    const { t } = suite;
    const domain = freshDomain();
    const accounts = await Promise.all([t.createAccount(), t.createAccount(), t.createAccount()]);
    const stacks = await Promise.all(accounts.map((account) => setUp(account, domain)));
    for (const stack of stacks) publish(dns, stack);
    const replies = await Promise.all(accounts.map((account, i) => verify(account, stacks[i])));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
  });
});

onEngines('both', 'stacks per account', { limits: { free: { stacks: 1 } } }, (suite) => {
  it('402 stack_limit: the free tier has one stack, pods included and under parallel calls; DELETE frees it', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const pod = await makePod(t, account);
    const replies = await Promise.all(
      [account, pod, account].map(({ api }) => api.post('/v1/stack', { domain: freshDomain() })),
    );
    const made = replies.find(({ status }) => status === 201);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 402, 402]);
    const again = await account.api.post('/v1/stack', { domain: freshDomain() });
    assert.deepEqual([again.status, again.body.error, again.body.limit], [402, 'stack_limit', 1]);
    const owner = (await account.api.get('/v1/stack')).body.count === 1 ? account : pod;
    assert.deepEqual((await owner.api.get('/v1/usage')).body.stacks, { used: 1, limit: 1 });
    const gone = await owner.api.delete(`/v1/stack/${made?.body.id}`);
    assert.deepEqual([gone.status, gone.body], [200, { deleted: true, id: made?.body.id }]);
    assert.equal((await account.api.post('/v1/stack', { domain: freshDomain() })).status, 201);
  });
});
