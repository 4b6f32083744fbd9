import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { nextDay, onEngines } from '../../../../test/support/harness.ts';
import { HOUR_MS } from '../../../base/period.ts';

const send = ({ api, address }: TestAgent, to: string, headers?: Record<string, string>) =>
  api.post('/v1/email/send', { from: address, to, subject: 'Hello', text: 'Body' }, headers);

const received = async ({ api, address }: TestAgent): Promise<number> =>
  (await api.get(`/v1/inbox/${address}`)).body.total;
const usage = async ({ api }: TestAgent) => (await api.get('/v1/usage')).body.emails;

onEngines('any', '402 payment_required', {}, (suite) => {
  it('the 11th mail of a UTC day: price, payee and time of the next free mail; nothing is counted or delivered', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    for (let n = 9; n >= 0; n--) assert.equal((await send(ada, bob.address)).body.rate_limit.daily_remaining, n);
    const { status, headers, body } = await send(ada, bob.address);
    assert.equal(status, 402);
    const { message, accepts, docs_url, ...fields } = body;
    assert.equal(docs_url, `${t.baseUrl}/docs/payments.md`);
    assert.equal(typeof message, 'string');
    assert.deepEqual(fields, {
      error: 'payment_required',
      code: 'payment_required',
      x402_version: 1,
      x402Version: 1,
      reason: 'daily_limit',
      limit: { name: 'emails_per_day', used: 10, max: 10 },
      rate_limit: { daily_remaining: 0, hourly_remaining: 0 },
    });
    assert.equal(accepts.length, 1);
    const { payTo, description, ...terms } = accepts[0];
    assert.deepEqual(terms, {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '10000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      resource: `${t.baseUrl}/v1/email/send`,
      mimeType: 'application/json',
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2' },
    });
    assert.match(payTo, /^0x[0-9a-fA-F]{40}$/);
    assert.ok(description.length > 0);
    // The clock stands at noon.
    assert.equal(headers.get('retry-after'), String(12 * 3600));
    assert.equal(await received(bob), 10);
    assert.equal((await ada.api.get('/v1/email/outbox?limit=100')).body.count, 10);
    assert.equal((await usage(ada)).daily_used, 10);
  });

  it('`verbose=false` removes the prose and keeps every other field', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    for (let n = 0; n < 10; n++) await send(ada, bob.address);
    const mail = { from: ada.address, to: bob.address, subject: 's', text: 'x' };
    const { status, body } = await ada.api.post('/v1/email/send?verbose=false', mail);
    assert.equal(status, 402);
    assert.equal('message' in body, false);
    assert.deepEqual([body.error, body.reason, body.accepts.length], ['payment_required', 'daily_limit', 1]);
  });

  it('both paths share one limit and name the resource', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const viaInbox = () => ada.api.post(`/v1/inbox/${ada.address}/send`, { to: bob.address, subject: 's', body: 'x' });
    for (let n = 0; n < 10; n++) assert.ok((await (n % 2 ? viaInbox() : send(ada, bob.address))).status < 300);
    const refused = await viaInbox();
    assert.deepEqual([refused.status, refused.body.error], [402, 'payment_required']);
    assert.equal(refused.body.accepts[0].resource, `${t.baseUrl}/v1/inbox/${ada.address}/send`);
    assert.equal((await send(ada, bob.address)).status, 402);
    assert.equal(await received(bob), 10);
  });

  it('a refused request counts nothing: a wrong sender or recipient uses no mail', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await send(ada, 'no address');
    await send({ ...ada, address: 'nobody@agents.localhost' }, 'x@example.com');
    const { daily_used, daily_remaining, daily_limit } = await usage(ada);
    assert.deepEqual([daily_used, daily_remaining, daily_limit], [0, 10, 10]);
  });

  it('the next UTC day has its own free mails', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    for (let n = 0; n < 10; n++) await send(ada, bob.address);
    t.clock.advance(HOUR_MS);
    assert.equal((await send(ada, bob.address)).body.reason, 'daily_limit');
    nextDay(t.clock);
    const first = await send(ada, bob.address);
    assert.deepEqual([first.status, first.body.rate_limit.daily_remaining], [201, 9]);
  });
});

onEngines('both', '402 payment_required', {}, (suite) => {
  it('of 20 parallel sends exactly 10 are sent', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(ada, bob.address)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 10);
    assert.equal(replies.filter(({ status }) => status === 402).length, 10);
    assert.equal(await received(bob), 10);
    assert.equal((await usage(ada)).daily_used, 10);
  });

  it('one Idempotency-Key is one mail, repeated or 10 times in parallel; another body is 409', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const once = { 'idempotency-key': 'once' };
    const first = await send(ada, bob.address, once);
    const again = await send(ada, bob.address, once);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const other = await send(ada, 'x@example.com', once);
    assert.deepEqual([other.status, other.body.error], [409, 'idempotency_mismatch']);
    const key = { 'idempotency-key': 'at the same time' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(ada, bob.address, key)));
    assert.ok(replies.every(({ status, body }) => status === 201 || body.error === 'idempotency_in_progress'));
    assert.equal(new Set(replies.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))).size, 1);
    assert.equal(await received(bob), 2);
    assert.equal((await usage(ada)).daily_used, 2);
  });
});

onEngines('any', '402 of the hourly limit', { limits: { free: { emails_per_hour: 3 } } }, (suite) => {
  it('reason hourly_limit; the next hour has free mails up to the daily limit', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    t.clock.advance(10 * 60_000);
    for (let hour = 0; hour < 3; hour++) {
      for (let n = 0; n < 3; n++) assert.equal((await send(ada, bob.address)).status, 201);
      const { status, headers, body } = await send(ada, bob.address);
      assert.deepEqual([status, body.reason], [402, 'hourly_limit']);
      assert.deepEqual(body.rate_limit, { daily_remaining: 10 - 3 * (hour + 1), hourly_remaining: 0 });
      assert.equal(headers.get('retry-after'), String(50 * 60));
      t.clock.advance(HOUR_MS);
    }
    assert.equal((await send(ada, bob.address)).status, 201);
    assert.equal((await send(ada, bob.address)).body.reason, 'daily_limit');
  });
});
