import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mailsTo } from '../../../../test/support/agents.ts';
import { addPasskey, logInWith, SoftwarePasskey } from '../../../../test/support/authenticator.ts';
import { type Api, type ApiReply, onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { operated } from '../../../../test/support/passkeys.ts';
import { freshEmail } from '../../../../test/support/recovery.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';
import { purgeLogins } from './mailed-login.ts';

const LOGIN = '/v1/auth/login';
const RECOVER = '/v1/vault/recover';
const HOME = '2001:db8:1:2::3';

/** A client in another network. */
function from(t: TestApp, ip: string): Api {
  const api = t.api();
  const there = { 'x-forwarded-for': ip };
  return {
    ...api,
    get: (path: string) => api.get(path, there),
    post: (path: string, body?: unknown) => api.post(path, body, there),
  } as Api;
}

const statusesOf = async (t: TestApp, ips: readonly string[], path: string, email: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (const ip of ips) statuses.push((await from(t, ip).post(path, { email })).status);
  return statuses;
};
const times = <T>(many: number, make: (i: number) => T): T[] => Array.from({ length: many }, (_, i) => make(i));
const served = (most: number, tries: number): number[] => times(tries, (i) => (i < most ? 200 : 429));

/** Strangers use up the lane of other networks. */
const spend = async (t: TestApp, path: string, email: string): Promise<void> =>
  void (await statusesOf(
    t,
    times(5, (i) => `203.0.113.${i}`),
    path,
    email,
  ));

/** Logs in with a mailed link, all from one network. */
async function logIn(t: TestApp, email: string, ip: string): Promise<void> {
  const before = new Set(await mailsTo(t, email));
  assert.equal((await from(t, ip).post(LOGIN, { email })).status, 200);
  const mail = (await mailsTo(t, email)).find((each) => !before.has(each));
  const opened = await from(t, ip).get(`/v1/auth/verify?token=${tokenIn(mail ?? '')}`);
  assert.equal(opened.status, 302, opened.text);
}

function wholeOf({ status, headers, text }: ApiReply) {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status, text, headers: kept };
}

/** Each with its mails of an hour to one person, and what only those say. */
const MAILS = [
  [LOGIN, 5, 'Your login link'],
  [RECOVER, 3, '/recover#'],
] as const;

const OPTIONS = { env: { TRUST_PROXY: '1', HOST: 'localhost' } };

onEngines('any', 'mails that anybody can ask for', OPTIONS, (suite) => {
  for (const [path, most] of MAILS) {
    it(`N3: ${path}: the network of an earlier login has as many of its own, for 90 days`, async () => {
      const { t } = suite;
      const email = freshEmail();
      await t.createAccount({ email });
      await logIn(t, email, HOME);
      t.clock.advance(DAY_MS);
      await spend(t, path, email);
      const elsewhere = ['2001:db8:1:3::3', '192.0.2.1'];
      assert.deepEqual(await statusesOf(t, elsewhere, path, email), [429, 429]);
      const home = times(most + 1, (i) => `2001:db8:1:2::${i}`);
      assert.deepEqual(await statusesOf(t, home, path, email), served(most, most + 1));
      t.clock.advance(89 * DAY_MS);
      await spend(t, path, email);
      assert.deepEqual(await statusesOf(t, [HOME], path, email), [429]);
    });

    it(`N3: ${path}: known and unknown addresses get the same bytes, in both lanes`, async () => {
      const { t } = suite;
      const [known, unknown] = [freshEmail(), freshEmail()];
      await t.createAccount({ email: known });
      await logIn(t, known, HOME);
      t.clock.advance(DAY_MS);
      const replies = async (email: string): Promise<unknown[]> => {
        const all: ApiReply[] = [];
        for (let i = 0; i <= most; i++) all.push(await from(t, HOME).post(path, { email }));
        return all.map(wholeOf);
      };
      const first = await replies(known);
      assert.deepEqual(await replies(unknown), first);
      const stranger = async (email: string) => wholeOf(await from(t, '192.0.2.7').post(path, { email }));
      for (let i = 0; i < most; i++) assert.equal((await stranger(known)).status, 200);
      assert.deepEqual(await stranger(known), await stranger(unknown));
    });
  }

  it('N3: a passkey and a recovered vault make a network known; a link, a code or a passkey that fails does not', async () => {
    const { t } = suite;
    const { email, session } = await operated(t);
    const passkey = new SoftwarePasskey(t.baseUrl);
    assert.equal((await addPasskey(session, passkey)).status, 201);
    const desk = '192.0.2.20';
    assert.equal((await logInWith(from(t, desk), passkey)).status, 200);
    const thief = from(t, '192.0.2.66');
    assert.equal((await thief.get('/v1/auth/verify?token=wrong')).body.error, 'invalid_token');
    assert.equal((await thief.post('/v1/auth/passkey/recovery', { email, code: 'wrong' })).body.error, 'invalid_code');
    assert.equal((await logInWith(thief, new SoftwarePasskey(t.baseUrl))).body.error, 'invalid_passkey');
    await spend(t, LOGIN, email);
    assert.deepEqual(await statusesOf(t, ['192.0.2.66', desk], LOGIN, email), [429, 200]);

    const owner = freshEmail();
    await t.api().post('/v1/vault/store', { recovery_email: owner, encrypted_seed: 'c2VlZA' });
    await from(t, desk).post(RECOVER, { email: owner });
    const [mail = ''] = await mailsTo(t, owner);
    assert.equal((await from(t, desk).get(`/v1/vault/recover/verify?token=${tokenIn(mail)}`)).status, 200);
    await spend(t, RECOVER, owner);
    assert.deepEqual(await statusesOf(t, ['192.0.2.66', desk], RECOVER, owner), [429, 200]);
  });
});

onEngines('both', 'mails that anybody can ask for: what the database decides', OPTIONS, (suite) => {
  for (const [path, most, words] of MAILS)
    it(`N3: ${path}: 60 networks of one /48 and 60 others together send ${most} an hour to a person`, async () => {
      const { t } = suite;
      const email = freshEmail();
      const { api } = await t.createAccount({ email });
      await api.post('/v1/vault/recovery-email', { email, encrypted_seed: 'c2VlZA' });
      const ips = [...times(60, (i) => `2001:db8:7:${i.toString(16)}::1`), ...times(60, (i) => `198.51.100.${i}`)];
      const replies = await Promise.all(ips.map((ip) => from(t, ip).post(path, { email })));
      assert.deepEqual(replies.map(({ status }) => status).sort(), served(most, 120));
      assert.equal((await mailsTo(t, email)).filter((mail) => mail.includes(words)).length, most);
    });

  it('N3: the newest 20 networks of an address are kept, as hashes; they go after 90 days, and with the account', async () => {
    const { t } = suite;
    await t.sql('delete from login_networks');
    const [email, other] = [freshEmail(), freshEmail()];
    const { api, accountId } = await t.createAccount({ email });
    for (let i = 0; i < 21; i++) {
      t.clock.advance(HOUR_MS);
      await logIn(t, email, `192.0.2.${100 + i}`);
    }
    const rows = async () => t.sql('select * from login_networks');
    const [row, ...more] = await rows();
    assert.deepEqual([more.length, JSON.parse(String(row?.networks)).length], [0, 20]);
    assert.doesNotMatch(JSON.stringify(row), /example|192\.0\.2/);
    await spend(t, LOGIN, email);
    assert.deepEqual(await statusesOf(t, ['192.0.2.100', '192.0.2.101'], LOGIN, email), [429, 200]);

    await t.createAccount({ email: other });
    await logIn(t, other, HOME);
    assert.equal((await rows()).length, 2);
    assert.equal((await api.delete('/v1/account')).status, 202);
    t.clock.advance(3 * DAY_MS);
    await t.app.worker.runDue();
    await t.app.provided.audit.flush();
    await t.app.provided.meter.flush();
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    assert.deepEqual(await t.sql('select id from accounts where id = ?', accountId), []);
    const purge = () => t.app.database.transaction((tx) => purgeLogins(tx, t.clock.now()));
    await purge();
    assert.equal((await rows()).length, 1);
    t.clock.advance(87 * DAY_MS);
    await purge();
    assert.deepEqual(await rows(), []);
  });
});
