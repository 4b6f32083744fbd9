import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { hashSecret } from '../../../base/secret.ts';

const MINUTE_MS = 60_000;
let people = 0;

/** A new account with an address, and the token of its login link. */
async function mailedLink(t: TestApp) {
  const email = `person-${people++}@example.com`;
  const account = await t.createAccount({ email });
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).find((each) => each.includes(`To: ${email}`) && each.includes('/login#'));
  return { ...account, email, token: tokenIn(mail ?? '') };
}

const verify = (t: TestApp, token: string) => t.api().get(`/v1/auth/verify?token=${encodeURIComponent(token)}`);
const sessionOf = (location: string | null): string => location?.split('#session=')[1] ?? '';

/** Every value of every table, as text. */
async function everythingStored(t: TestApp): Promise<string> {
  const names =
    t.engine === 'sqlite'
      ? await t.sql(`select name from sqlite_master where type = 'table'`)
      : await t.sql(`select table_name as name from information_schema.tables where table_schema = 'public'`);
  const parts: string[] = [];
  for (const { name } of names) {
    for (const row of await t.sql(`select * from "${name}"`)) {
      for (const value of Object.values(row))
        parts.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value));
    }
  }
  return parts.join('\n');
}

/** The content of the database files, whose free pages still hold deleted rows. */
const filesOf = (t: TestApp): string =>
  readdirSync(t.config.dataDir)
    .filter((name) => name.startsWith('signet.db'))
    .map((name) => readFileSync(join(t.config.dataDir, name), 'latin1'))
    .join('\n');

onEngines('any', 'GET /v1/auth/verify', {}, (suite) => {
  it('302 to the dashboard with a session in the fragment, which works as a bearer token', async () => {
    const { t } = suite;
    const { token, accountId, key } = await mailedLink(t);
    const { status, headers, text } = await verify(t, token);
    assert.equal(status, 302);
    assert.equal(text, '');
    const location = headers.get('location') ?? '';
    assert.match(location, /^\/dashboard#session=session_[0-9A-Za-z]{32}$/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    const me = await t.api(sessionOf(location)).get('/v1/account/me');
    assert.deepEqual(
      [me.status, me.body.id, me.body.key_prefix],
      [200, accountId, key.slice(0, 'signet_live_'.length + 4)],
    );
  });

  it('400 invalid_token: a second use; the session of the first use keeps working', async () => {
    const { t } = suite;
    const { token } = await mailedLink(t);
    const session = sessionOf((await verify(t, token)).headers.get('location'));
    const again = await verify(t, token);
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_token']);
    assert.equal(again.headers.get('location'), null);
    assert.equal((await t.api(session).get('/v1/account/me')).status, 200);
  });

  it('a link expires after exactly 15 minutes, and is then 400 invalid_token', async () => {
    const { t } = suite;
    const [early, late] = [await mailedLink(t), await mailedLink(t)];
    t.clock.advance(15 * MINUTE_MS - 1);
    assert.equal((await verify(t, early.token)).status, 302);
    t.clock.advance(1);
    const refused = await verify(t, late.token);
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_token']);
  });

  it('a session expires after exactly 24 hours, and is then 401', async () => {
    const { t } = suite;
    const { token, key } = await mailedLink(t);
    const session = t.api(sessionOf((await verify(t, token)).headers.get('location')));
    t.clock.advance(24 * HOUR_MS - 1);
    assert.equal((await session.get('/v1/account/me')).status, 200);
    t.clock.advance(1);
    const refused = await session.get('/v1/account/me');
    assert.deepEqual([refused.status, refused.body.error], [401, 'unauthorized']);
    assert.equal((await t.api(key).get('/v1/account/me')).status, 200);
  });

  it('HEAD is 405 and does not use the link, so that mail scanners cannot spoil it', async () => {
    const { t } = suite;
    const { token } = await mailedLink(t);
    const head = await fetch(`${t.baseUrl}/v1/auth/verify?token=${token}`, { method: 'HEAD', redirect: 'manual' });
    assert.equal(head.status, 405);
    assert.equal(head.headers.get('allow'), 'GET');
    assert.equal((await verify(t, token)).status, 302);
  });

  it('opening the page of the mailed link does not use the link: the fragment never reaches the server', async () => {
    const { t } = suite;
    const { token } = await mailedLink(t);
    const page = await fetch(`${t.baseUrl}/login#token=${token}`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal((await verify(t, token)).status, 302);
  });

  it('400 invalid_token: a token that is malformed, missing, too long, or sent twice', async () => {
    const { t } = suite;
    const queries = ['token=x', `token=${'A'.repeat(32)}`, 'token=', '', `token=${'A'.repeat(300)}`, 'token=a&token=b'];
    const hostile = ["token=' or 1=1 --", 'token=%F0%9F%92%A9', 'token=%00', 'token=%ED%A0%80', 'token=%', 'token[]=a'];
    for (const query of [...queries, ...hostile]) {
      const { status, body } = await t.api().get(`/v1/auth/verify?${query}`);
      assert.deepEqual([query, status, body.error], [query, 400, 'invalid_token']);
    }
  });

  it('a session token does not work as a link, nor a link as a session token', async () => {
    const { t } = suite;
    const [first, second] = [await mailedLink(t), await mailedLink(t)];
    const session = sessionOf((await verify(t, first.token)).headers.get('location'));
    assert.equal((await verify(t, session)).status, 400);
    assert.equal((await t.api(second.token).get('/v1/account/me')).status, 401);
    assert.equal((await t.api(`session_${second.token}`).get('/v1/account/me')).status, 401);
  });
});

onEngines('both', 'GET /v1/auth/verify: what the database decides', {}, (suite) => {
  it('50 parallel uses of one link: one 302, 49 times 400 invalid_token, one session', async () => {
    const { t } = suite;
    const { token, accountId } = await mailedLink(t);
    const replies = await Promise.all(Array.from({ length: 50 }, () => verify(t, token)));
    assert.equal(replies.filter(({ status }) => status === 302).length, 1);
    const refused = replies.filter(({ status, body }) => status === 400 && body.error === 'invalid_token');
    assert.equal(refused.length, 49);
    assert.equal((await t.sql('select hash from sessions where account_id = ?', accountId)).length, 1);
  });
});

/** An account with two open sessions. */
async function twoSessions(t: TestApp) {
  const account = await mailedLink(t);
  const first = sessionOf((await verify(t, account.token)).headers.get('location'));
  t.clock.advance(1000);
  await t.api().post('/v1/auth/login', { email: account.email });
  const mail = (await t.outboxMails()).findLast(
    (each) => each.includes(`To: ${account.email}`) && each.includes('/login#'),
  );
  const second = sessionOf((await verify(t, tokenIn(mail ?? ''))).headers.get('location'));
  return { ...account, first, second };
}

onEngines('any', 'POST /v1/auth/logout', {}, (suite) => {
  it('200: this session is 401 afterwards; another session and the key keep working', async () => {
    const { t } = suite;
    const { first, second, api } = await twoSessions(t);
    const ended = await t.api(first).post('/v1/auth/logout');
    assert.deepEqual([ended.status, ended.body], [200, { ok: true, ended_at: new Date(t.clock.now()).toISOString() }]);
    assert.equal((await t.api(first).get('/v1/account/me')).status, 401);
    assert.equal((await t.api(first).post('/v1/auth/logout')).status, 401);
    assert.equal((await t.api(second).get('/v1/account/me')).status, 200);
    assert.equal((await api.get('/v1/account/me')).status, 200);
  });

  it('403 session_required with a key, which keeps working; 401 without a credential', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const refused = await api.post('/v1/auth/logout');
    assert.deepEqual([refused.status, refused.body.error], [403, 'session_required']);
    assert.match(refused.body.message, /keys\/rotate/);
    assert.equal((await api.get('/v1/account/me')).status, 200);
    assert.equal((await t.api().post('/v1/auth/logout')).status, 401);
  });

  it('GET /v1/account/me with a session shows the prefix of the active key', async () => {
    const { t } = suite;
    const { first, second } = await twoSessions(t);
    const prefix = (await t.api(first).post('/v1/auth/keys/rotate')).body.key_prefix;
    assert.equal((await t.api(first).get('/v1/account/me')).body.key_prefix, prefix);
    assert.equal((await t.api(second).get('/v1/account/me')).status, 401);
  });
});

onEngines('both', 'POST /v1/auth/logout: what the database decides', {}, (suite) => {
  it('10 parallel calls: one 200, the others 401', async () => {
    const { t } = suite;
    const { first } = await twoSessions(t);
    const replies = await Promise.all(Array.from({ length: 10 }, () => t.api(first).post('/v1/auth/logout')));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 401)]);
  });
});

onEngines('any', 'secrets at rest', {}, (suite) => {
  it('the database holds keys, backup keys, link tokens and sessions only as SHA-256', async () => {
    const { t } = suite;
    const { token, key, api } = await mailedLink(t);
    const unused = await mailedLink(t);
    const session = sessionOf((await verify(t, token)).headers.get('location'));
    const backup = (await api.post('/v1/auth/keys/generate-backup')).body.backup_key as string;
    const kept = await t.api().post('/v1/auth/keys', {}, { 'idempotency-key': 'spent' });
    const rotated = (await t.api(session).post('/v1/auth/keys/rotate')).body.api_key as string;
    // A rotation deletes the account's other links. A link of another account is still stored.
    const secrets = [key, backup, unused.token, session, kept.body.api_key as string, rotated];
    const stored = await everythingStored(t);
    assert.ok(!stored.includes(token.slice(-30)), 'the used link stands in a row in clear');
    for (const [i, secret] of secrets.entries()) {
      assert.ok(stored.includes(hashSecret(secret)), `the hash of secret ${i} is stored`);
      // The prefix is public. The secret part must not be found.
      const secretPart = secret.slice(-30);
      assert.ok(!stored.includes(secretPart), `secret ${i} stands in a row in clear`);
      assert.ok(!filesOf(t).includes(secretPart), `secret ${i} stands in a file in clear`);
    }
  });
});
