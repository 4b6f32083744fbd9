import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines } from '../../../../test/support/harness.ts';
import { DEFAULT_LIMITS } from '../../../api/limits.ts';

const FREE = {
  addresses: 2,
  pods: 1,
  stacks: 1,
  calendar_events: 1,
  recipients_per_send: 2,
  vault_keys: 1,
  vault_ciphertext_bytes: 100,
  emails_per_day: 1,
};

const refusal = ({ status, body }: ApiReply) => [status, body.error, body.quota ?? body.limit];
const reached = (name: string, used: number, max: number) => ({ name, used, max });
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

let names = 0;
onEngines('any', 'a refusal by a limit says `limit: {name, used, max}`', { limits: { free: FREE } }, (suite) => {
  it('a reply that has an integer `limit` keeps it, and the object is `quota`', async () => {
    const { api } = await createAgent(suite.t);
    await api.post('/v1/email/claim', { address: `second-${names++}` });
    const { body } = await api.post('/v1/email/claim', { address: `third-${names++}` });
    assert.deepEqual([body.error, body.limit, body.quota], ['address_limit', 2, reached('addresses', 2, 2)]);
  });

  it('things: pods, domains, calendar events, webhooks, programs, signing keys, credential requests', async () => {
    const { api, address } = await createAgent(suite.t);
    const pod = () => api.post('/v1/pods', { name: 'A pod' });
    await pod();
    assert.deepEqual(refusal(await pod()), [403, 'pod_limit_reached', reached('pods', 1, 1)]);
    await api.post('/v1/stack', { domain: `limited-${names++}.example.com` });
    const second = await api.post('/v1/stack', { domain: `limited-${names++}.example.com` });
    assert.deepEqual(refusal(second), [402, 'stack_limit', reached('stacks', 1, 1)]);
    const hour = { summary: 'Tea', start: '2026-05-01T10:00:00Z', end: '2026-05-01T11:00:00Z' };
    const event = () => api.post('/v1/calendar/events', hour);
    await event();
    assert.deepEqual(refusal(await event()), [402, 'calendar_limit', reached('calendar_events', 1, 1)]);
    const webhook = () => api.post('/v1/email/webhooks', { address, url: 'http://127.0.0.1:9/hook' });
    await Promise.all(times(20, webhook));
    assert.deepEqual(refusal(await webhook()), [403, 'webhook_limit', reached('webhooks', 20, 20)]);
    const program = () => api.post('/v1/programs', { name: 'Bounty', audience: 'https://bounty.example' });
    await Promise.all(times(20, program));
    assert.deepEqual(refusal(await program()), [403, 'program_limit', reached('programs', 20, 20)]);
  });

  it('credential requests that the account’s operator decides', async () => {
    const agent = await createAgent(suite.t);
    const { api } = agent;
    await confirmOperator(suite.t, agent, 'operator@example.com');
    const ask = () => api.post('/v1/credentials/request', { description: 'A password' });
    for (const { status } of await Promise.all(times(5, ask))) assert.equal(status, 201);
    assert.deepEqual(refusal(await ask()), [429, 'credential_limit', reached('credential_requests', 5, 5)]);
  });

  it('`used` stays correct when the limit is lowered', async () => {
    const { t } = suite;
    const { api, accountId } = await createAgent(t);
    await api.post('/v1/email/claim', { address: `more-${names++}` });
    await t.sql("update account_counts set used = 7 where kind = 'addresses' and account_id = ?", accountId);
    const refused = await api.post('/v1/email/claim', { address: `more-${names++}` });
    assert.deepEqual(refusal(refused), [403, 'address_limit', reached('addresses', 7, 2)]);
  });

  it('sizes: `used` is the size of the request', async () => {
    const { api, address } = await createAgent(suite.t);
    const to = times(3, (i) => `someone-${i}@example.com`);
    const mail = await api.post('/v1/email/send', { from: address, to, subject: 'x', text: 'x' });
    assert.deepEqual(refusal(mail), [400, 'too_many_recipients', reached('recipients_per_send', 3, 2)]);
    const large = await api.put('/v1/vault/key', { ciphertext: 'x'.repeat(101) });
    assert.deepEqual(refusal(large), [400, 'payload_too_large', reached('vault_ciphertext_bytes', 101, 100)]);
    const metadata = { note: 'x'.repeat(4096) };
    const described = await api.put('/v1/vault/key', { ciphertext: 'x', metadata });
    const size = JSON.stringify(metadata).length;
    assert.deepEqual(refusal(described), [400, 'metadata_too_large', reached('vault_metadata_bytes', size, 4096)]);
  });

  it('what can be bought: mails and vault keys', async () => {
    const { api, address } = await createAgent(suite.t);
    const send = () => api.post('/v1/email/send', { from: address, to: address, subject: 'x', text: 'x' });
    assert.equal((await send()).status, 201);
    assert.deepEqual(refusal(await send()), [402, 'payment_required', reached('emails_per_day', 1, 1)]);
    await api.put('/v1/vault/one', { ciphertext: 'x' });
    const second = await api.put('/v1/vault/two', { ciphertext: 'x' });
    assert.deepEqual(refusal(second), [402, 'payment_required', reached('vault_keys', 1, 1)]);
  });
});

onEngines(
  'any',
  'a refusal by a rate says `limit: {name, used, max}`',
  { limits: { free: { requests_per_day: 3 }, signups_per_ip_per_hour: 1, recoveries_per_email_per_hour: 2 } },
  (suite) => {
    it('requests of a day; keys from one network; mails for one address', async () => {
      const { t } = suite;
      const { api } = await t.createAccount();
      for (let n = 0; n < 3; n++) await api.get('/v1/account/me');
      const { body } = await api.get('/v1/account/me');
      assert.deepEqual([body.error, body.limit, body.quota], ['rate_limited', 3, reached('requests_per_day', 3, 3)]);
      const stranger = t.api();
      const signup = await stranger.post('/v1/auth/keys');
      assert.deepEqual(refusal(signup), [429, 'rate_limited', reached('signups_per_ip_per_hour', 1, 1)]);
      const recover = () => stranger.post('/v1/vault/recover', { email: 'lost@example.com' });
      for (let n = 0; n < 2; n++) await recover();
      assert.deepEqual(refusal(await recover()), [429, 'rate_limited', reached('recoveries_per_email_per_hour', 2, 2)]);
    });
  },
);

onEngines('any', 'POST /v1/register', { defaultLimits: true }, (suite) => {
  it('answers `limits` of the new account’s tier, as in the limit table', async () => {
    const { body } = await suite.t.api().post('/v1/register', { name: 'Ada' });
    assert.deepEqual(body.limits, DEFAULT_LIMITS.free);
  });
});
