import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSession } from '../../../../test/support/agents.ts';
import { addPasskey, SoftwarePasskey } from '../../../../test/support/authenticator.ts';
import {
  type Api,
  type ApiReply,
  onEngines,
  type Suite,
  type TestAccount,
  tokenIn,
} from '../../../../test/support/harness.ts';
import { NAMED_HOST, operated, operatedWithPasskey, sessionOf } from '../../../../test/support/passkeys.ts';
import { readableMail } from '../../../../test/support/readable-mail.ts';
import { HOUR_MS } from '../../../base/period.ts';

const refusal = ({ status, body }: ApiReply): unknown[] => [status, body.error];
const REQUIRED = [403, 'passkey_required'];
const SETTINGS = '/v1/operator/settings';

/** A charge over the limit, which waits for approval. */
async function pending({ api }: TestAccount): Promise<string> {
  await api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
  const asked = await api.post('/v1/charge', { amount: 5, description: 'A tool.' });
  assert.equal(asked.status, 202, asked.text);
  return asked.body.approval_id;
}

const requiring = (suite: Suite) => {
  /** An operator with a passkey and recovery codes who requires a passkey. */
  async function strict() {
    const made = await operatedWithPasskey(suite.t);
    await made.strong.post('/v1/passkeys/recovery-codes');
    const set = await made.strong.patch(SETTINGS, { require_passkey: true });
    assert.equal(set.status, 200, set.text);
    return made;
  }

  /** The token of the approval mail for an address. */
  async function mailedToken(email: string): Promise<string> {
    const mails = await suite.t.outboxMails();
    const mail = mails.find((text) => text.includes(`To: ${email}`) && text.includes('Subject: Approve'));
    const text = readableMail(mail ?? '');
    return /&token=([0-9A-Za-z]{32})/.exec(text)?.[1] ?? '';
  }
  return { strict, mailedToken };
};

onEngines('any', 'require_passkey', NAMED_HOST, (suite) => {
  const { strict, mailedToken } = requiring(suite);

  it('409 passkeys_needed without two passkeys, or one and codes; 200 with either', async () => {
    const { t } = suite;
    const turnOn = (by: Api) => by.patch(SETTINGS, { require_passkey: true });
    const { session } = await operated(t);
    assert.deepEqual(refusal(await turnOn(session)), [409, 'passkeys_needed']);
    const one = await operatedWithPasskey(t);
    assert.deepEqual(refusal(await turnOn(one.strong)), [409, 'passkeys_needed']);
    assert.equal((await one.strong.get(SETTINGS)).body.require_passkey, false);
    await one.strong.post('/v1/passkeys/recovery-codes');
    assert.deepEqual((await turnOn(one.strong)).body, {
      address: one.email,
      require_passkey: true,
      passkeys: 1,
      recovery_codes: 10,
      mails: 'now',
    });
    const two = await operatedWithPasskey(t);
    await addPasskey(two.strong, new SoftwarePasskey(t.baseUrl));
    assert.equal((await turnOn(two.strong)).status, 200);
    const waiting = await operatedWithPasskey(t);
    await addPasskey(waiting.session, new SoftwarePasskey(t.baseUrl));
    assert.deepEqual(refusal(await turnOn(waiting.strong)), [409, 'passkeys_needed'], 'one that waits does not count');
  });

  it('the thief in the mailbox: neither the mailed link nor a mailed login approves; the passkey does', async () => {
    const { t } = suite;
    const { account, email, session, passkey } = await strict();
    const id = await pending(account);
    const token = await mailedToken(email);
    const shown = await t.api().post(`/v1/approvals/${id}/view`, { token });
    assert.deepEqual([shown.body.status, shown.body.passkey_required], ['pending', true]);
    for (const decision of ['approve', 'reject']) {
      const refused = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision });
      assert.deepEqual(refusal(refused), REQUIRED);
      assert.match(refused.body.message, /Log in with your passkey/);
    }
    // A session from before the requirement, and one that the thief opens now.
    for (const mailed of [session, await openSession(t, email)]) {
      assert.deepEqual(refusal(await mailed.post(`/v1/approvals/${id}/approve`, {})), REQUIRED);
      assert.equal((await mailed.get('/v1/account/me')).status, 200, 'it still reads');
    }
    assert.equal((await account.api.get(`/v1/approvals/${id}`)).body.status, 'pending');
    const approved = await (await sessionOf(t, passkey)).post(`/v1/approvals/${id}/approve`, {});
    assert.deepEqual([approved.status, approved.body.resolved_by], [200, 'session']);
  });

  it('a mailed login changes no address, cap or key, spends nothing, and does not lift the requirement', async () => {
    const { t } = suite;
    const { email, id } = await strict();
    const mailed = await openSession(t, email);
    const tries = [
      mailed.post('/v1/account/recovery-email', { email: 'thief@example.com' }),
      mailed.post('/v1/account/operator-email', { email: 'thief@example.com' }),
      mailed.put('/v1/budget', { daily: 1_000_000 }),
      mailed.post('/v1/charge', { amount: 1 }),
      mailed.post('/v1/auth/keys/rotate'),
      mailed.post('/v1/account/keys', { name: 'thief', scopes: ['mail:read'] }),
      mailed.patch(SETTINGS, { require_passkey: false }),
      mailed.delete(`/v1/passkeys/${id}`),
      mailed.post('/v1/passkeys/recovery-codes'),
    ];
    for (const refused of await Promise.all(tries)) assert.deepEqual(refusal(refused), REQUIRED, refused.text);
    assert.equal((await mailed.post('/v1/auth/logout')).status, 200);
  });

  it('a mailed link gives no credential', async () => {
    const { t } = suite;
    const { account, email } = await strict();
    const asked = await account.api.post('/v1/credentials/request', { description: 'A key.' });
    const { user_code } = asked.body;
    await t.api().post('/v1/credentials/verify-email', { user_code });
    const mails = await t.outboxMails();
    const mail = mails.find((text) => text.includes(`To: ${email}`) && text.includes('asks you for a credential'));
    const proof = { user_code, token: tokenIn(mail ?? '') };
    const given = { ...proof, decision: 'approve', credential_value: 'planted' };
    assert.deepEqual(refusal(await t.api().post('/v1/credentials/approve', given)), REQUIRED);
  });

  it('a lost passkey: the mailed login adds another, which approves after 72 hours and not before', async () => {
    const { t } = suite;
    const { account, email } = await strict();
    const found = new SoftwarePasskey(t.baseUrl);
    assert.equal((await addPasskey(await openSession(t, email), found)).status, 202);
    t.clock.advance(72 * HOUR_MS - 1);
    await assert.rejects(sessionOf(t, found), /passkey_pending/);
    t.clock.advance(1);
    const id = await pending(account);
    assert.equal((await (await sessionOf(t, found)).post(`/v1/approvals/${id}/approve`, {})).status, 200);
  });

  it('a recovery code approves, adds a passkey at once, and lifts the requirement', async () => {
    const { t } = suite;
    const { account, email, strong } = await operatedWithPasskey(t);
    const [code] = (await strong.post('/v1/passkeys/recovery-codes')).body.codes;
    assert.equal((await strong.patch(SETTINGS, { require_passkey: true })).status, 200);
    const id = await pending(account);
    const opened = await t.api().post('/v1/auth/passkey/recovery', { email, code });
    const recovered = t.api(opened.body.session);
    assert.equal((await recovered.post(`/v1/approvals/${id}/approve`, {})).status, 200);
    assert.equal((await addPasskey(recovered, new SoftwarePasskey(t.baseUrl))).status, 201);
    assert.equal((await recovered.patch(SETTINGS, { require_passkey: false })).body.require_passkey, false);
    const next = await pending(account);
    assert.equal((await (await openSession(t, email)).post(`/v1/approvals/${next}/approve`, {})).status, 200);
  });
});

onEngines('both', 'require_passkey', NAMED_HOST, (suite) => {
  const { strict } = requiring(suite);

  it('409 passkeys_needed: the last passkey stays while it is required, also against two removals at once', async () => {
    const { t } = suite;
    const { strong, id } = await strict();
    const second = await addPasskey(strong, new SoftwarePasskey(t.baseUrl));
    const removals = await Promise.all([id, second.body.id].map((one) => strong.delete(`/v1/passkeys/${one}`)));
    assert.deepEqual(removals.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await strong.get(SETTINGS)).body.passkeys, 1);
  });
});
