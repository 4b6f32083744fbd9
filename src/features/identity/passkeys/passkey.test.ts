import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, openSession } from '../../../../test/support/agents.ts';
import { addPasskey, logInWith, SoftwarePasskey } from '../../../../test/support/authenticator.ts';
import { type ApiReply, onEngines, type TestAccount } from '../../../../test/support/harness.ts';
import { NAMED_HOST, operated, operatedWithPasskey, sessionOf } from '../../../../test/support/passkeys.ts';
import { HOUR_MS } from '../../../base/period.ts';

const refusal = ({ status, body }: ApiReply): unknown[] => [status, body.error];
const DELAY_MS = 72 * HOUR_MS;

onEngines('any', 'POST /v1/passkeys', NAMED_HOST, (suite) => {
  it('201: the first passkey, by a mailed login, works at once, and its owner is told', async () => {
    const { t } = suite;
    const { session, email } = await operated(t);
    const passkey = new SoftwarePasskey(t.baseUrl);
    const added = await addPasskey(session, passkey);
    assert.equal(added.status, 201, added.text);
    assert.deepEqual([added.body.status, added.body.active_at], ['active', added.body.created_at]);
    assert.equal((await logInWith(t.api(), passkey)).status, 200);
    const told = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${email}`));
    assert.ok(told.some((mail) => mail.includes('Subject: A passkey was added')));
  });

  it('201: a further one, by a session that a passkey opened, works at once', async () => {
    const { t } = suite;
    const { strong } = await operatedWithPasskey(t);
    const second = new SoftwarePasskey(t.baseUrl);
    assert.equal((await addPasskey(strong, second)).status, 201);
    assert.equal((await logInWith(t.api(), second)).status, 200);
  });

  it('202: whoever reads the mailbox adds one, and its owner has 72 hours to see and remove it', async () => {
    const { t } = suite;
    const { session, strong, email } = await operatedWithPasskey(t);
    const thief = new SoftwarePasskey(t.baseUrl);
    const added = await addPasskey(session, thief);
    assert.equal(added.status, 202, added.text);
    assert.equal(Date.parse(added.body.active_at), t.clock.now() + DELAY_MS);
    const early = await logInWith(t.api(), thief);
    assert.deepEqual(refusal(early), [403, 'passkey_pending']);
    assert.equal(early.body.active_at, added.body.active_at);
    const isTold = (mail: string): boolean => mail.includes(`To: ${email}`) && mail.includes('A passkey will be added');
    const told = (await t.outboxMails()).find(isTold) ?? '';
    assert.ok(told.replace(/=\r?\n/g, '').includes(added.body.active_at));
    const listed = (await strong.get('/v1/passkeys')).body.passkeys;
    assert.deepEqual(listed.map(({ status }: { status: string }) => status).sort(), ['active', 'pending']);
    assert.equal((await strong.delete(`/v1/passkeys/${added.body.id}`)).status, 200);
    t.clock.advance(DELAY_MS);
    assert.deepEqual(refusal(await logInWith(t.api(), thief)), [400, 'invalid_passkey']);
  });

  it('a lost passkey: a mailed login adds another, which logs in after 72 hours and removes the lost one', async () => {
    const { t } = suite;
    const { account, email, id } = await operatedWithPasskey(t);
    const found = new SoftwarePasskey(t.baseUrl);
    const mailed = await openSession(t, email);
    assert.equal((await addPasskey(mailed, found)).status, 202);
    assert.deepEqual(refusal(await mailed.delete(`/v1/passkeys/${id}`)), [403, 'passkey_required']);
    t.clock.advance(DELAY_MS - 1);
    assert.deepEqual(refusal(await logInWith(t.api(), found)), [403, 'passkey_pending']);
    t.clock.advance(1);
    const news = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${email}`));
    assert.equal(news.filter((mail) => mail.includes('Subject: A passkey works now')).length, 1);
    const [entry] = (await account.api.get('/v1/audit?action=passkey.activated')).body.entries;
    assert.deepEqual([entry.actor.kind, entry.result], ['service', 'success']);
    const back = await sessionOf(t, found);
    assert.equal((await back.delete(`/v1/passkeys/${id}`)).status, 200);
    assert.equal((await back.get('/v1/passkeys')).body.passkeys.length, 1);
  });

  it('400 invalid_passkey: another origin, another host, an unverified user, a challenge of nobody', async () => {
    const { t } = suite;
    const { session } = await operated(t);
    const faults = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { verified: false },
      { challenge: Buffer.alloc(32, 7).toString('base64url') },
    ];
    for (const fault of faults) {
      const refused = await addPasskey(session, new SoftwarePasskey(t.baseUrl), fault);
      assert.deepEqual(refusal(refused), [400, 'invalid_passkey'], JSON.stringify(fault));
    }
    assert.deepEqual((await session.get('/v1/passkeys')).body.passkeys, []);
  });

  it('400 invalid_passkey: a challenge works once, for five minutes, in the session that asked for it', async () => {
    const { t } = suite;
    const { session, email } = await operated(t);
    const other = await openSession(t, email);
    const options = async () => (await session.post('/v1/passkeys/options')).body;
    const add = (by: typeof session, body: object) => by.post('/v1/passkeys', body);
    const first = await options();
    assert.equal((await add(session, new SoftwarePasskey(t.baseUrl).create(first))).status, 201);
    const again = await add(session, new SoftwarePasskey(t.baseUrl).create(first));
    assert.deepEqual(refusal(again), [400, 'invalid_passkey']);
    const elsewhere = await add(other, new SoftwarePasskey(t.baseUrl).create(await options()));
    assert.deepEqual(refusal(elsewhere), [400, 'invalid_passkey']);
    const late = await options();
    t.clock.advance(300_000);
    assert.deepEqual(refusal(await add(session, new SoftwarePasskey(t.baseUrl).create(late))), [
      400,
      'invalid_passkey',
    ]);
  });

  it('400 invalid_passkey: a passkey that somebody registered already', async () => {
    const { t } = suite;
    const { passkey } = await operatedWithPasskey(t);
    const { session } = await operated(t);
    assert.deepEqual(refusal(await addPasskey(session, passkey)), [400, 'invalid_passkey']);
  });

  it('403 session_required for a key, operator_required for a session that is not an operator’s', async () => {
    const { t } = suite;
    const email = 'owner@example.com';
    const { api } = await t.createAccount({ email });
    const owner = await openSession(t, email);
    for (const [by, error] of [
      [api, 'session_required'],
      [owner, 'operator_required'],
    ] as const) {
      assert.deepEqual(refusal(await by.post('/v1/passkeys/options')), [403, error]);
      assert.deepEqual(refusal(await by.get('/v1/passkeys')), [403, error]);
      assert.deepEqual(refusal(await by.post('/v1/passkeys/recovery-codes')), [403, error]);
      assert.deepEqual(refusal(await by.get('/v1/operator/settings')), [403, error]);
    }
  });

  it('403 limit_reached: the eleventh', async () => {
    const { t } = suite;
    const { strong } = await operatedWithPasskey(t);
    for (let i = 1; i < 10; i++) assert.equal((await addPasskey(strong, new SoftwarePasskey(t.baseUrl))).status, 201);
    const full = await strong.post('/v1/passkeys/options');
    assert.deepEqual(refusal(full), [403, 'limit_reached']);
    assert.deepEqual(full.body.limit, { name: 'passkeys', used: 10, max: 10 });
  });
});

onEngines('both', 'POST /v1/passkeys', NAMED_HOST, (suite) => {
  it('go with the last account of which their person is confirmed', async () => {
    const { t } = suite;
    const { account, email, strong } = await operatedWithPasskey(t);
    const other = await t.createAccount();
    await confirmOperator(t, other, email);
    assert.equal((await strong.post('/v1/passkeys/recovery-codes')).status, 200);
    const left = async (): Promise<number> =>
      (await t.sql('select id from passkeys where address = ?', email)).length +
      (await t.sql('select hash from recovery_codes where address = ?', email)).length;
    const erase = async ({ api }: TestAccount): Promise<void> => {
      assert.equal((await api.delete('/v1/account')).status, 202);
      t.clock.advance(DELAY_MS);
      await t.app.worker.runDue();
      t.clock.advance(60_000);
      await t.app.worker.runDue();
    };
    await erase(account);
    assert.equal(await left(), 11);
    await erase(other);
    assert.equal(await left(), 0);
  });
});

onEngines('any', 'DELETE /v1/passkeys/{id}', NAMED_HOST, (suite) => {
  it('404: another person’s passkey looks like one that does not exist', async () => {
    const { t } = suite;
    const { id } = await operatedWithPasskey(t);
    const { strong } = await operatedWithPasskey(t);
    const others = await strong.delete(`/v1/passkeys/${id}`);
    const missing = await strong.delete('/v1/passkeys/psk_00000000000000000000000000');
    assert.equal(others.status, 404);
    assert.equal(others.text, missing.text);
  });

  it('200: removing the last one voids the recovery codes', async () => {
    const { t } = suite;
    const { id, strong, email } = await operatedWithPasskey(t);
    const [code] = (await strong.post('/v1/passkeys/recovery-codes')).body.codes;
    assert.equal((await strong.delete(`/v1/passkeys/${id}`)).status, 200);
    const refused = await t.api().post('/v1/auth/passkey/recovery', { email, code });
    assert.deepEqual(refusal(refused), [400, 'invalid_code']);
  });
});

onEngines('both', 'DELETE /v1/passkeys/{id}', NAMED_HOST, (suite) => {
  it('200: the passkey no longer logs in, and of two removals one succeeds', async () => {
    const { t } = suite;
    const { id, strong, passkey } = await operatedWithPasskey(t);
    const removals = await Promise.all([1, 2].map(() => strong.delete(`/v1/passkeys/${id}`)));
    assert.deepEqual(removals.map(({ status }) => status).sort(), [200, 404]);
    assert.deepEqual(refusal(await logInWith(t.api(), passkey)), [400, 'invalid_passkey']);
  });
});

onEngines('any', 'passkeys of a service that has no host name', {}, (suite) => {
  it('409 passkeys_unavailable, with a hint', async () => {
    const { t } = suite;
    const { session } = await operated(t);
    for (const refused of [
      await session.post('/v1/passkeys/options'),
      await t.api().post('/v1/auth/passkey/options', {}),
    ]) {
      assert.deepEqual(refusal(refused), [409, 'passkeys_unavailable']);
      assert.match(refused.body.message, /BASE_URL/);
    }
  });
});
