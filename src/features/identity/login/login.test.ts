import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { mailsTo as allMailsTo, confirmOperator, suspend } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines, startTestApp, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { HOUR_MS } from '../../../base/period.ts';

const login = (t: TestApp, email: unknown) => t.api().post('/v1/auth/login', { email });

/** The login mails of the outbox to an address. */
const mailsTo = async (t: TestApp, email: string): Promise<string[]> =>
  (await allMailsTo(t, email)).filter((mail) => mail.includes('Your login link'));

const tokensIn = (mail: string): string[] => [...mail.matchAll(/#token=([0-9A-Za-z]{32})/g)].map((m) => m[1] as string);

/** A reply without the headers that differ between any two replies. */
function wholeOf({ status, headers, text }: ApiReply) {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status, text, headers: kept };
}

onEngines('any', 'POST /v1/auth/login', {}, (suite) => {
  it('answers a known and an unknown address with the same bytes, and mails only the known one', async () => {
    const { t } = suite;
    await t.createAccount({ email: 'known@example.com' });
    const known = await login(t, 'known@example.com');
    const unknown = await login(t, 'nobody@example.com');
    assert.equal(known.status, 200);
    assert.deepEqual(known.body, { sent: true, message: known.body.message });
    assert.deepEqual(wholeOf(known), wholeOf(unknown));
    assert.equal((await mailsTo(t, 'known@example.com')).length, 1);
    assert.equal((await mailsTo(t, 'nobody@example.com')).length, 0);
  });

  it('verbose=false removes only the message', async () => {
    const { body } = await suite.t.api().post('/v1/auth/login?verbose=false', { email: 'quiet@example.com' });
    assert.deepEqual(body, { sent: true });
  });

  it('finds an address in any case', async () => {
    const { t } = suite;
    await t.createAccount({ email: 'Case@Example.com' });
    await login(t, 'cASE@eXAMPLE.COM');
    assert.equal((await mailsTo(t, 'case@example.com')).length, 1);
  });

  it('mails one link for each account of the address, with the account’s name', async () => {
    const { t } = suite;
    const email = 'three@example.com';
    const owner = await t.createAccount({ name: 'Ada', email });
    const recovering = await t.createAccount({ name: 'Bob' });
    await recovering.api.post('/v1/account/recovery-email', { email });
    const operated = await t.createAccount({ name: 'Cy' });
    await confirmOperator(t, operated, email);
    const stranger = await t.createAccount({ name: 'Dee' });
    await login(t, email);
    const mails = await mailsTo(t, email);
    assert.equal(mails.length, 1);
    const mail = mails[0] as string;
    assert.equal(new Set(tokensIn(mail)).size, 3);
    const entry = (id: string, name: string, role = '') =>
      new RegExp(`Log in to ${id}${role}:\\r\\n\\S+/login#token=\\w{32}\\r\\nThe agent calls itself: "${name}"`);
    assert.match(mail, entry(owner.accountId, 'Ada'));
    assert.match(mail, entry(recovering.accountId, 'Bob'));
    assert.match(mail, entry(operated.accountId, 'Cy', ', as its operator'));
    assert.ok(!mail.includes(stranger.accountId));
    const opened = await Promise.all(tokensIn(mail).map((token) => t.api().get(`/v1/auth/verify?token=${token}`)));
    assert.deepEqual(
      opened.map(({ status }) => status),
      [302, 302, 302],
    );
    const rows = await t.sql('select account_id, email, operator from sessions where email = ?', email);
    const operators = rows.filter((row) => Number(row.operator) === 1).map((row) => row.account_id);
    assert.deepEqual(
      operators,
      [operated.accountId],
      'the link to the operated account alone opens an operator session',
    );
    assert.equal(rows.length, 3);
  });

  it('mints no link for a suspended account', async () => {
    const { t } = suite;
    const email = 'suspended@example.com';
    const closed = await t.createAccount({ email });
    const open = await t.createAccount({ email });
    await suspend(t, closed.accountId);
    await login(t, email);
    const [mail] = await mailsTo(t, email);
    assert.equal(tokensIn(mail as string).length, 1);
    assert.ok(mail?.includes(open.accountId) && !mail.includes(closed.accountId));
  });

  it('works with a recovery email as soon as it is set, and no longer with the previous one', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await api.post('/v1/account/recovery-email', { email: 'former@example.com' });
    await api.post('/v1/account/recovery-email', { email: 'current@example.com' });
    await login(t, 'former@example.com');
    await login(t, 'current@example.com');
    assert.equal((await mailsTo(t, 'former@example.com')).length, 0);
    const token = tokenIn((await mailsTo(t, 'current@example.com'))[0] ?? '');
    const { headers } = await t.api().get(`/v1/auth/verify?token=${token}`);
    const session = headers.get('location')?.split('#session=')[1];
    assert.equal((await t.api(session).get('/v1/account/me')).body.id, accountId);
  });

  it('removes everything from an account’s name that could become a link', async () => {
    const { t } = suite;
    const email = 'lured@example.com';
    const { api } = await t.createAccount({ name: 'Win! https://evil.example/#token=x' });
    await api.post('/v1/account/recovery-email', { email });
    await login(t, email);
    const [mail] = await mailsTo(t, email);
    assert.ok(mail && !mail.includes('evil.example') && !mail.includes('https://evil'));
  });

  it('400 invalid_request: an address that is invalid, of the wrong type, or missing', async () => {
    const { t } = suite;
    for (const email of [
      'ada',
      'ada@@example.com',
      'ada@example.com\r\nBcc: x@example.com',
      '',
      7,
      null,
      undefined,
      [],
    ]) {
      const refused = await login(t, email);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
      assert.equal(refused.body.details[0].path, '/body/email');
    }
  });
});

onEngines('any', 'POST /v1/auth/login: the rate limits', { limits: { logins_per_ip_per_hour: 14 } }, (suite) => {
  it('429 rate_limited: the sixth mail to one address within an hour, with the same bytes for known and unknown ones', async () => {
    const { t } = suite;
    await t.createAccount({ email: 'often@example.com' });
    const refusals: ApiReply[] = [];
    for (const email of ['often@example.com', 'never@example.com']) {
      for (let i = 0; i < 5; i++) assert.equal((await login(t, email)).status, 200);
      refusals.push(await login(t, email));
    }
    const [known, unknown] = refusals as [ApiReply, ApiReply];
    assert.deepEqual([known.status, known.body.error], [429, 'rate_limited']);
    assert.equal(known.headers.get('retry-after'), '3600');
    assert.deepEqual(wholeOf(known), wholeOf(unknown));
    assert.equal((await mailsTo(t, 'often@example.com')).length, 5);
    t.clock.advance(HOUR_MS);
    assert.equal((await login(t, 'often@example.com')).status, 200);
  });

  it('429 rate_limited: a network over its limit, for any addresses', async () => {
    const { t } = suite;
    t.clock.advance(HOUR_MS);
    for (let i = 0; i < 14; i++) assert.equal((await login(t, `swarm-${i}@example.com`)).status, 200);
    assert.equal((await login(t, 'swarm-15@example.com')).status, 429);
  });
});

describe('POST /v1/auth/login and its mail', () => {
  it('answers without waiting for the mail, even when the relay hangs', async () => {
    const calls: Socket[] = [];
    const relay = createServer((socket) => void calls.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const { port } = relay.address() as { port: number };
    const t = await startTestApp('sqlite', { env: { SMTP_RELAY_URL: `smtp://127.0.0.1:${port}` } });
    try {
      await t.createAccount({ email: 'slow@example.com' });
      const called = new Promise((resolve) => relay.once('connection', resolve));
      assert.equal((await login(t, 'slow@example.com')).status, 200);
      await called;
      assert.equal((await login(t, 'slow@example.com')).status, 200);
    } finally {
      // Hanging up lets the attempts under way end as deferred, so that the service can stop.
      relay.on('connection', (socket) => socket.destroy());
      for (const socket of calls) socket.destroy();
      await t.stop();
      relay.close();
    }
  });
});
