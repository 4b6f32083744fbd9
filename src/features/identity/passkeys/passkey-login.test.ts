import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator } from '../../../../test/support/agents.ts';
import { logInWith, SoftwarePasskey } from '../../../../test/support/authenticator.ts';
import { type ApiReply, onEngines, type Suite } from '../../../../test/support/harness.ts';
import { NAMED_HOST, operated, operatedWithPasskey, sessionOf } from '../../../../test/support/passkeys.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const refusal = ({ status, body }: ApiReply): unknown[] => [status, body.error];

onEngines('any', 'POST /v1/auth/passkey', NAMED_HOST, (suite) => {
  it('200: an operator session of 24 hours, in the audit log of its account', async () => {
    const { t } = suite;
    const { account, passkey, email } = await operatedWithPasskey(t);
    const opened = await logInWith(t.api(), passkey);
    assert.equal(opened.status, 200, opened.text);
    assert.equal(opened.body.account_id, account.accountId);
    assert.equal(Date.parse(opened.body.expires_at), t.clock.now() + DAY_MS);
    const { sessions } = (await t.api(opened.body.session).get('/v1/account/sessions')).body;
    const current = sessions.find((session: { current: boolean }) => session.current);
    assert.deepEqual([current.operator, current.address], [true, email]);
    const [entry] = await t.sql(
      `select action from audit_entries where account_id = ? and action = 'login.session_opened' order by seq desc`,
      account.accountId,
    );
    assert.ok(entry);
  });

  it('200: for the account that the caller names, and 404 for one that he does not operate', async () => {
    const { t } = suite;
    const { passkey, email, account } = await operatedWithPasskey(t);
    const second = await t.createAccount();
    t.clock.advance(1000);
    await confirmOperator(t, second, email);
    const stranger = await t.createAccount();
    const logIn = async (account_id?: string) => {
      const { body } = await t.api().post('/v1/auth/passkey/options', {});
      return t.api().post('/v1/auth/passkey', { ...passkey.get(body), ...(account_id ? { account_id } : {}) });
    };
    assert.equal((await logIn()).body.account_id, account.accountId);
    assert.equal((await logIn(second.accountId)).body.account_id, second.accountId);
    assert.deepEqual(refusal(await logIn(stranger.accountId)), [404, 'not_found']);
  });

  it('400 invalid_passkey: a registration’s challenge does not log in, and the other way round', async () => {
    const { t } = suite;
    const { passkey, strong } = await operatedWithPasskey(t);
    const registering = (await strong.post('/v1/passkeys/options')).body;
    const answer = passkey.get({ challenge: registering.challenge, rpId: registering.rp.id });
    assert.deepEqual(refusal(await t.api().post('/v1/auth/passkey', answer)), [400, 'invalid_passkey']);
    const login = (await t.api().post('/v1/auth/passkey/options', {})).body;
    const created = new SoftwarePasskey(t.baseUrl).create(login);
    assert.deepEqual(refusal(await strong.post('/v1/passkeys', created)), [400, 'invalid_passkey']);
  });

  it('400 invalid_passkey: a copy whose counter fell behind', async () => {
    const { t } = suite;
    const { passkey } = await operatedWithPasskey(t);
    assert.equal((await logInWith(t.api(), passkey, { counter: 40 })).status, 200);
    assert.deepEqual(refusal(await logInWith(t.api(), passkey, { counter: 40 })), [400, 'invalid_passkey']);
    assert.equal((await logInWith(t.api(), passkey, { counter: 41 })).status, 200);
  });

  it('400 invalid_passkey: an unknown passkey, and one of a person who operates nothing any more', async () => {
    const { t } = suite;
    assert.deepEqual(refusal(await logInWith(t.api(), new SoftwarePasskey(t.baseUrl))), [400, 'invalid_passkey']);
    const { passkey, email } = await operatedWithPasskey(t);
    await t.sql('delete from people where address = ?', email);
    assert.deepEqual(refusal(await logInWith(t.api(), passkey)), [400, 'invalid_passkey']);
  });

  it('options are alike for a known and an unknown address, and bind the login to that address', async () => {
    const { t } = suite;
    const { email, passkey } = await operatedWithPasskey(t);
    const optionsOf = async (address: string) =>
      (await t.api().post('/v1/auth/passkey/options', { email: address })).body;
    const [known, unknown] = [await optionsOf(email), await optionsOf('nobody@example.com')];
    assert.deepEqual({ ...known, challenge: '' }, { ...unknown, challenge: '' });
    assert.equal(known.challenge.length, unknown.challenge.length);
    assert.equal((await t.api().post('/v1/auth/passkey', passkey.get(known))).status, 200);
    assert.deepEqual(refusal(await t.api().post('/v1/auth/passkey', passkey.get(unknown))), [400, 'invalid_passkey']);
  });
});

onEngines('both', 'POST /v1/auth/passkey', NAMED_HOST, (suite) => {
  it('400 invalid_passkey: another origin, another host, an unverified user, a foreign or replayed challenge', async () => {
    const { t } = suite;
    const { passkey } = await operatedWithPasskey(t);
    const faults = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { verified: false },
      { challenge: Buffer.alloc(32, 7).toString('base64url') },
    ];
    for (const fault of faults)
      assert.deepEqual(refusal(await logInWith(t.api(), passkey, fault)), [400, 'invalid_passkey']);
    const { body } = await t.api().post('/v1/auth/passkey/options', {});
    const answers = [1, 2, 3, 4].map(() => passkey.get(body));
    const tries = await Promise.all(answers.map((answer) => t.api().post('/v1/auth/passkey', answer)));
    assert.ok(tries.filter(({ status }) => status === 200).length <= 1, 'a challenge opens at most one session');
    assert.deepEqual(refusal(await t.api().post('/v1/auth/passkey', passkey.get(body))), [400, 'invalid_passkey']);
    const late = (await t.api().post('/v1/auth/passkey/options', {})).body;
    t.clock.advance(300_000);
    assert.deepEqual(refusal(await t.api().post('/v1/auth/passkey', passkey.get(late))), [400, 'invalid_passkey']);
  });
});

const recovery = (suite: Suite) => {
  const withCodes = async () => {
    const made = await operatedWithPasskey(suite.t);
    const { codes } = (await made.strong.post('/v1/passkeys/recovery-codes')).body as { codes: string[] };
    return { ...made, codes };
  };
  const recover = (email: string, code: string) => suite.t.api().post('/v1/auth/passkey/recovery', { email, code });
  return { withCodes, recover };
};

onEngines('any', 'recovery codes', NAMED_HOST, (suite) => {
  const { withCodes, recover } = recovery(suite);

  it('200: ten codes, each logs in once, however it is typed; only hashes are stored; the owner is told', async () => {
    const { t } = suite;
    const { codes, email } = await withCodes();
    assert.equal(new Set(codes).size, 10);
    const [first = '', second = ''] = codes;
    assert.match(first, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
    const opened = await recover(email, first);
    assert.equal(opened.status, 200, opened.text);
    const session = t.api(opened.body.session);
    assert.equal((await session.get('/v1/operator/settings')).body.recovery_codes, 9);
    assert.deepEqual(refusal(await recover(email, first)), [400, 'invalid_code']);
    assert.equal((await recover(email, ` ${second.toUpperCase().replaceAll('-', ' ')}`)).status, 200);
    const stored = JSON.stringify(await t.sql('select * from recovery_codes'));
    for (const code of codes) assert.ok(!stored.includes(code));
    const told = (await t.outboxMails()).some(
      (mail) => mail.includes(email) && mail.includes('recovery code was used'),
    );
    assert.ok(told);
  });

  it('400 invalid_code: another person’s code, an unknown address, and a code that was replaced', async () => {
    const { codes, email, strong } = await withCodes();
    const { email: other } = await operated(suite.t);
    const others = await recover(other, codes[0] as string);
    const unknown = await recover('nobody@example.com', codes[0] as string);
    assert.deepEqual(refusal(others), [400, 'invalid_code']);
    assert.equal(others.text, unknown.text);
    assert.equal((await strong.post('/v1/passkeys/recovery-codes')).status, 200);
    assert.deepEqual(refusal(await recover(email, codes[0] as string)), [400, 'invalid_code']);
  });

  it('403 passkey_required: a mailed login replaces no codes; the one that added the first passkey makes the first', async () => {
    const { t } = suite;
    const { session, codes, email } = await withCodes();
    assert.deepEqual(refusal(await session.post('/v1/passkeys/recovery-codes')), [403, 'passkey_required']);
    assert.equal((await recover(email, codes[0] as string)).status, 200, 'the owner’s codes still work');
    const fresh = await operatedWithPasskey(t);
    assert.equal((await fresh.session.post('/v1/passkeys/recovery-codes')).status, 200);
    const { session: without } = await operated(t);
    assert.deepEqual(refusal(await without.post('/v1/passkeys/recovery-codes')), [403, 'passkey_required']);
  });

  it('429 rate_limited: the sixth try for an address within an hour, also when all failed', async () => {
    const { t } = suite;
    t.clock.advance(HOUR_MS);
    const { codes, email } = await withCodes();
    for (let i = 0; i < 5; i++) assert.deepEqual(refusal(await recover(email, 'wrong')), [400, 'invalid_code']);
    assert.deepEqual(refusal(await recover(email, codes[0] as string)), [429, 'rate_limited']);
    t.clock.advance(HOUR_MS);
    assert.equal((await recover(email, codes[0] as string)).status, 200);
  });
});

onEngines('both', 'recovery codes', NAMED_HOST, (suite) => {
  const { withCodes, recover } = recovery(suite);

  it('of parallel uses of a code, one logs in', async () => {
    const { codes, email } = await withCodes();
    const tries = await Promise.all([1, 2, 3].map(() => recover(email, codes[0] as string)));
    assert.equal(tries.filter(({ status }) => status === 200).length, 1);
  });
});

onEngines(
  'any',
  'the rate limits of passkey logins',
  { ...NAMED_HOST, limits: { passkey_logins_per_ip_per_hour: 6, passkey_logins_per_email_per_hour: 2 } },
  (suite) => {
    it('429 rate_limited: by address, then by network', async () => {
      const { t } = suite;
      const made = await operatedWithPasskey(t);
      assert.ok(await sessionOf(t, made.passkey));
      const third = await logInWith(t.api(), made.passkey);
      assert.deepEqual(refusal(third), [429, 'rate_limited']);
      assert.equal(third.body.limit.name, 'passkey_logins_per_email_per_hour');
      t.clock.advance(HOUR_MS);
      for (let i = 0; i < 6; i++) assert.equal((await t.api().post('/v1/auth/passkey/options', {})).status, 200);
      const refused = await t.api().post('/v1/auth/passkey/options', {});
      assert.equal(refused.body.limit.name, 'passkey_logins_per_ip_per_hour');
    });
  },
);
