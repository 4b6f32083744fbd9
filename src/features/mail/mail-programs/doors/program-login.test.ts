import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, suspend, type TestAgent, unsuspend } from '../../../../../test/support/agents.ts';
import { delegate, tokenFor } from '../../../../../test/support/delegations.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { onEngines, type TestApp } from '../../../../../test/support/harness.ts';
import { type ImapClient, ImapRefusal } from '../../../../mail/imap/imap-store.ts';
import type { OpenProgramLogin, ProgramScope } from './program-service.ts';

const HOUR = 3_600_000;
const WRONG = 'AUTHENTICATIONFAILED Wrong address or key';
const LOCAL: ImapClient = { remoteAddress: '127.0.0.1', tls: false };
const from = (remoteAddress: string): ImapClient => ({ remoteAddress, tls: true });

interface Attempt {
  kind?: 'password' | 'token';
  scope?: ProgramScope;
  client?: ImapClient;
  ended?: (why: ImapRefusal) => void;
}

const logIn = (t: TestApp, user: string, secret: string, attempt: Attempt = {}): Promise<OpenProgramLogin> => {
  const { kind = 'password', scope = 'mail:read', client = LOCAL, ended = () => {} } = attempt;
  return t.app.provided.mailPrograms.authenticate({ kind, user, secret }, client, scope, ended);
};

/** What a refused login is told. */
const refusal = (t: TestApp, user: string, secret: string, attempt: Attempt = {}): Promise<string> =>
  logIn(t, user, secret, attempt).then(
    () => 'logged in',
    (err: unknown) => {
      assert.ok(err instanceof ImapRefusal, String(err));
      return `${err.code} ${err.message}`;
    },
  );

const namedKey = async ({ api }: TestAgent, fields: object = {}): Promise<{ id: string; key: string }> => {
  const made = await api.post('/v1/account/keys', { name: 'mail program', scopes: ['mail:read'], ...fields });
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id, key: made.body.api_key };
};

const usedToday = async ({ api }: TestAgent): Promise<number> => {
  const { body } = await api.get('/v1/usage');
  return body.requests.used;
};

onEngines('both', 'logins of mail programs', {}, (suite) => {
  it('a named key opens its address, in any spelling of it; an access token does too', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    const login = await logIn(t, ada.address.toUpperCase(), key);
    assert.deepEqual([login.address, login.principal.accountId], [ada.address, ada.accountId]);
    login.close();
    const bob = await createAgent(t);
    const { id } = await delegate(t, ada.api, bob, { scopes: ['mail:read'] });
    const { access_token: token } = await tokenFor(t, bob.key, id);
    for (const user of [ada.address, '']) {
      const delegated = await logIn(t, user, token, { kind: 'token' });
      assert.deepEqual([delegated.address, delegated.principal.accountId], [ada.address, ada.accountId]);
      delegated.close();
    }
    assert.equal(await refusal(t, bob.address, token, { kind: 'token' }), WRONG, 'not an address of who delegated');
  });

  it('wrong, unknown, foreign, limited to another address and without the scope are one answer', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const { address: second } = await createAgent(t, {}, ada);
    const { key } = await namedKey(ada);
    const { key: limited } = await namedKey(ada, { addresses: [second] });
    const { key: sends } = await namedKey(ada, { scopes: ['mail:send'] });
    const last = key.endsWith('0') ? '1' : '0';
    const cases: [user: string, secret: string][] = [
      [ada.address, `${key.slice(0, -1)}${last}`],
      [ada.address, 'password'],
      [ada.address, ''],
      ['nobody@agents.localhost', key],
      [bob.address, key],
      [ada.address.split('@')[0] as string, key],
      ['', key],
      [ada.address, limited],
      [ada.address, sends],
    ];
    for (const [user, secret] of cases) assert.equal(await refusal(t, user, secret), WRONG, `${user} ${secret}`);
    (await logIn(t, second, limited)).close();
    (await logIn(t, ada.address, sends, { scope: 'mail:send' })).close();
    assert.equal(await refusal(t, ada.address, key, { scope: 'mail:send' }), WRONG);
  });

  it('a credential for all of an account is told what to use instead, and a mistyped one too', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const backup = (await ada.api.post('/v1/auth/keys/generate-backup', {})).body.backup_key as string;
    const told = 'AUTHENTICATIONFAILED Use a named key: POST /v1/account/keys with mail:read';
    for (const secret of [ada.key, backup, `${ada.key}x`, 'signet_pod_x', 'session_x', 'session_keyx'])
      assert.equal(await refusal(t, ada.address, secret), told);
    assert.match(await refusal(t, ada.address, ada.key, { scope: 'mail:send' }), /with mail:send$/);
  });

  it('in clear only this machine logs in, and only in development', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    const clear = { remoteAddress: '192.0.2.7', tls: false };
    assert.equal(await refusal(t, ada.address, key, { client: clear }), 'PRIVACYREQUIRED Log in over TLS');
    for (const client of [{ ...clear, tls: true }, LOCAL, { remoteAddress: '::ffff:127.0.0.1', tls: false }])
      (await logIn(t, ada.address, key, { client })).close();
  });

  it('a suspended account is told so, and only with a right key', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    await suspend(t, ada.accountId);
    assert.match(await refusal(t, ada.address, key), /^CONTACTADMIN /);
    assert.equal(await refusal(t, ada.address, 'wrong'), WRONG);
    await unsuspend(t, ada.accountId);
    (await logIn(t, ada.address, key)).close();
  });

  it('a key costs one request an hour, however often it logs in, and for each hour in which it is open', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    const { key: other } = await namedKey(ada);
    const before = await usedToday(ada);
    const logins = await Promise.all(Array.from({ length: 5 }, () => logIn(t, ada.address, key)));
    const afterOne = await usedToday(ada);
    assert.equal(afterOne - before, 2, 'one, and the look at the usage');
    logins.push(await logIn(t, ada.address, other));
    assert.equal((await usedToday(ada)) - afterOne, 2, 'a request of the other key');
    t.clock.advance(HOUR);
    const later = await usedToday(ada);
    let looks = 0;
    await eventually(async () => {
      looks += 1;
      return (await usedToday(ada)) - later === looks + 2;
    });
    for (const login of logins) login.close();
  });

  it('an address has so many connections; one that closes makes room', { timeout: 60_000 }, async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    const { address: second } = await createAgent(t, {}, ada);
    const logins = await Promise.all(Array.from({ length: 20 }, () => logIn(t, ada.address, key)));
    assert.match(await refusal(t, ada.address, key), /^LIMIT .*mail_program_connections/);
    (await logIn(t, second, key)).close();
    for (let n = 0; n < 2; n += 1) logins[0]?.close();
    logins[0] = await logIn(t, ada.address, key);
    assert.match(await refusal(t, ada.address, key), /^LIMIT /, 'closing twice makes one place');
    for (const login of logins) login.close();
    assert.equal(t.app.provided.mailPrograms.size(), 0);
  });

  const ends: [string, (t: TestApp, of: TestAgent, key: { id: string; key: string }) => Promise<unknown>][] = [
    ['deleted', (_t, { api }, { id }) => api.delete(`/v1/account/keys/${id}`)],
    ['changed in its scopes', (_t, { api }, { id }) => api.patch(`/v1/account/keys/${id}`, { scopes: ['mail:send'] })],
    ['ended by secure', (_t, { api }) => api.post('/v1/account/secure', {})],
    [
      'at its end, which was moved to before',
      async (t, { api }, { id }) => {
        await api.patch(`/v1/account/keys/${id}`, { expires_in_seconds: 3600 });
        t.clock.advance(HOUR + 1);
      },
    ],
    ['suspended with its account', (t, { accountId }) => suspend(t, accountId)],
    ['without its address, which is released', (_t, { api, address }) => api.delete(`/v1/email/addresses/${address}`)],
  ];
  for (const [name, end] of ends)
    it(`a login ends when its key is ${name}; another of the account stays open where it may`, async () => {
      const { t } = suite;
      const ada = await createAgent(t);
      const key = await namedKey(ada, { expires_in_seconds: 7200 });
      const bob = await createAgent(t);
      const why: string[] = [];
      const login = await logIn(t, ada.address, key.key, { ended: ({ code }) => why.push(code) });
      const stays = await logIn(t, bob.address, (await namedKey(bob)).key, { ended: () => why.push('of another') });
      await end(t, ada, key);
      await eventually(() => why.length > 0);
      assert.deepEqual(why, ['EXPIRED']);
      login.close();
      stays.close();
    });

  it('a key whose end is moved to later goes on', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const key = await namedKey(ada, { expires_in_seconds: 600 });
    const why: string[] = [];
    const login = await logIn(t, ada.address, key.key, { ended: ({ code }) => why.push(code) });
    await ada.api.patch(`/v1/account/keys/${key.id}`, { expires_in_seconds: 7200 });
    t.clock.advance(HOUR);
    // A second login that ends in this hour shows that its end was looked for.
    const short = await namedKey(ada, { expires_in_seconds: 60 });
    const second = await logIn(t, ada.address, short.key, { ended: () => why.push('short') });
    t.clock.advance(61_000);
    await eventually(() => why.length > 0);
    assert.deepEqual(why, ['short']);
    login.close();
    second.close();
  });

  it('60 failures close a network for 10 minutes, but not one where a program logged in within 30 days', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    const { mailPrograms } = t.app.provided;
    const fail = async (client: ImapClient, times: number): Promise<void> => {
      for (let n = 0; n < times; n += 1) assert.equal(await refusal(t, ada.address, 'wrong', { client }), WRONG);
    };
    const [stranger, known] = [from('192.0.2.10'), from('192.0.2.20')];
    (await logIn(t, ada.address, key, { client: known })).close();
    for (const client of [stranger, known]) await fail(client, 59);
    assert.equal(await mailPrograms.admits(stranger), true);
    for (const client of [stranger, known]) await fail(client, 1);
    assert.deepEqual([await mailPrograms.admits(stranger), await mailPrograms.admits(known)], [false, true]);
    assert.equal(await mailPrograms.admits(from('192.0.2.11')), true, 'a neighbour');
    // A connection that was open before takes a right key, and opens the door for its network.
    (await logIn(t, ada.address, key, { client: stranger })).close();
    assert.equal(await mailPrograms.admits(stranger), true);
    t.clock.advance(31 * 24 * HOUR);
    await fail(known, 60);
    assert.equal(await mailPrograms.admits(known), false, 'it logged in long ago');
    t.clock.advance(600_001);
    assert.equal(await mailPrograms.admits(known), true);
  });
});

onEngines('any', 'the day of a mail program', { limits: { free: { requests_per_day: 40 } } }, (suite) => {
  it('used up, its key is refused with the time when it returns; an open login stays', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { key } = await namedKey(ada);
    const { key: other } = await namedKey(ada);
    const open = await logIn(t, ada.address, key, { ended: () => assert.fail('it ended') });
    const statuses = new Set<number>();
    for (let n = 0; n < 40; n += 1)
      statuses.add((await t.api(key).get(`/v1/email/inbox?address=${ada.address}`)).status);
    assert.ok(statuses.has(429), String([...statuses]));
    const refusals = await Promise.all(Array.from({ length: 10 }, () => refusal(t, ada.address, other)));
    for (const each of refusals) assert.match(each, /^LIMIT No more requests until \d{4}-\S+Z \(requests_per_day/);
    const again = await logIn(t, ada.address, key);
    assert.equal(t.app.provided.mailPrograms.size(), 2, 'of an hour that was paid');
    for (const login of [open, again]) login.close();
  });
});
