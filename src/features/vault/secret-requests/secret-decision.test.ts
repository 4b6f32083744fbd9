import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withSnapshots } from '../../../../test/contract/contract-snapshot.ts';
import { asked, operated } from '../../../../test/contract/samples/credentials.ts';
import { confirmOperator } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { hashSecret, keyPrefix, mintKey } from '../../../base/secret.ts';

const VERIFY = '/v1/credentials/verify-email';
const VIEW = '/v1/credentials/view';
const APPROVE = '/v1/credentials/approve';
const POLL = '/v1/credentials/poll';

/** Another valid code. */
const otherThan = (code: string): string => `${code[0] === 'B' ? 'C' : 'B'}${code.slice(1)}`;

async function sessionOf(t: TestApp, email: string): Promise<string> {
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).findLast((text) => text.includes(email) && text.includes('/login#')) ?? '';
  const opened = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail)}`);
  return opened.headers.get('location')?.split('#session=')[1] as string;
}

onEngines('any', 'POST /v1/credentials/verify-email', {}, (suite) => {
  it('answers the same for every code; only the operator gets a mail, without the agent’s description', async () => {
    const { t } = suite;
    const { api, email } = await operated(t);
    const input = { description: 'https://evil.example/ click', vault_key: 'stripe' };
    const { user_code: code } = (await api.post('/v1/credentials/request', input)).body;
    const before = new Set(await t.outboxMails());
    const known = await t.api().post(VERIFY, { user_code: code.toLowerCase().replace('-', ' ') });
    const unknown = await t.api().post(VERIFY, { user_code: otherThan(code) });
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
    const mails = (await t.outboxMails()).filter((text) => !before.has(text));
    assert.equal(mails.length, 1);
    const [mail = ''] = mails;
    assert.match(mail, new RegExp(`^To: ${email}`, 'm'));
    assert.ok(!mail.includes('evil.example') && !mail.includes(code));
    assert.equal(tokenIn(mail).length, 32);
    const stored = JSON.stringify([await t.sql('select * from mailed_links'), await t.sql('select * from jobs')]);
    assert.ok(!stored.includes(tokenIn(mail)));
  });

  it('429 rate_limited for the fourth link of a code, and for one network', async () => {
    const { t } = suite;
    const code = 'BCDF-GHJK';
    for (let i = 0; i < 3; i++) assert.equal((await t.api().post(VERIFY, { user_code: code })).status, 200);
    assert.equal((await t.api().post(VERIFY, { user_code: code })).status, 429);
    assert.equal((await t.api().post(VERIFY, { user_code: 'XXXX-XXXX' })).status, 200);
  });

  it('400 for text that is not a code', async () => {
    for (const code of ['AEIO-UAEI', 'BCDF', 'BCDF-GHJK-L']) {
      const refused = await suite.t.api().post(VERIFY, { user_code: code });
      assert.deepEqual([refused.status, refused.body.details[0].path], [400, '/body/user_code']);
    }
  });
});

onEngines(
  'any',
  'POST /v1/credentials/verify-email, by network',
  { limits: { credential_links_per_ip_per_hour: 2 } },
  (suite) => {
    it('429 rate_limited for guessed codes', async () => {
      const { t } = suite;
      const codes = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD'];
      const replies = await Promise.all(codes.map((code) => t.api().post(VERIFY, { user_code: code })));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 429]);
    });
  },
);

onEngines('both', 'GET /v1/credentials/requests', {}, (suite) => {
  it('shows an operator what waits in the account that he selects, page by page, and nobody else anything', async () => {
    const { t } = suite;
    const { account, request } = await asked(t, { description: 'First.', vault_key: 'stripe' });
    t.clock.advance(1000);
    const second = (await account.api.post('/v1/credentials/request', { description: 'Second.' })).body;
    const operator = t.api(await sessionOf(t, account.email));
    const listed = await operator.get('/v1/credentials/requests');
    assert.equal(listed.status, 200, listed.text);
    const ids = listed.body.requests.map((one: { request_id: string }) => one.request_id);
    assert.deepEqual(ids, [second.request_id, request.request_id]);
    const { agent, description, vault_key: key } = listed.body.requests[1];
    assert.deepEqual([agent.account_id, description, key], [account.accountId, 'First.', 'stripe']);
    assert.ok(!listed.text.includes(request.user_code) && !listed.text.includes(request.device_code));
    const one = (await operator.get('/v1/credentials/requests?limit=1')).body;
    const rest = (await operator.get(`/v1/credentials/requests?limit=1&cursor=${one.next_cursor}`)).body;
    assert.deepEqual([rest.requests[0].request_id, rest.next_cursor], [request.request_id, null]);
    assert.equal((await account.api.get('/v1/credentials/requests')).body.error, 'operator_required');
    const other = await operated(t);
    const stranger = t.api(await sessionOf(t, other.email));
    assert.deepEqual((await stranger.get('/v1/credentials/requests')).body.requests, []);
    const header = { 'signet-account': account.accountId };
    assert.equal((await stranger.get('/v1/credentials/requests', header)).status, 404);
    t.clock.advance(86_400_000);
    const late = t.api(await sessionOf(t, account.email));
    assert.deepEqual((await late.get('/v1/credentials/requests')).body.requests, []);
  });
});

onEngines('any', 'the operator of a request', {}, (suite) => {
  it('sees the agent and its description with the mailed link and the code, and not without proof', async () => {
    const { t } = suite;
    const { account, request, proof } = await asked(t, { vault_key: 'stripe' });
    const seen = await t.api().post(VIEW, proof);
    assert.equal(seen.status, 200);
    assert.equal(seen.body.request_id, request.request_id);
    assert.equal(seen.body.agent.account_id, account.accountId);
    assert.deepEqual([seen.body.description, seen.body.vault_key, seen.body.public_key], ['A key.', 'stripe', null]);
    const { user_code } = proof;
    for (const shown of [{}, { ...proof, session: 'session_x' }])
      assert.equal((await t.api().post(VIEW, { user_code, ...shown })).status, 400);
    for (const shown of [
      { token: 'a'.repeat(32) },
      { session: `session_${'a'.repeat(32)}` },
      { session: account.key },
    ]) {
      for (const [path, more] of [
        [VIEW, {}],
        [APPROVE, { decision: 'deny' }],
      ] as const) {
        const refused = await t.api().post(path, { user_code, ...shown, ...more });
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_token'], JSON.stringify(shown));
      }
    }
  });

  it('decides with an operator session too; another session is 403 operator_required', async () => {
    const { t } = suite;
    const { account, request } = await asked(t);
    const email = account.email;
    const session = await sessionOf(t, email);
    const recovery = `recovery-${email}`;
    const { user_code } = request;
    assert.equal((await t.api().post(VIEW, { user_code, session })).status, 200);
    const given = { user_code, session, decision: 'approve', credential_value: 'v', vault_key: 'elsewhere' };
    const done = await t.api().post(APPROVE, given);
    assert.deepEqual([done.status, done.body.status, done.body.vault_key], [200, 'approved', 'elsewhere']);
    const polled = (await account.api.post(POLL, { device_code: request.device_code })).body;
    assert.deepEqual([polled.credential_value, polled.vault_key], ['v', 'elsewhere']);
    await account.api.post('/v1/account/recovery-email', { email: recovery });
    const plain = await sessionOf(t, recovery);
    const refused = await t.api().post(VIEW, { user_code, session: plain });
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
  });

  it('a link is void when the account changes its operator', async () => {
    const { t } = suite;
    const { account, proof } = await asked(t);
    await confirmOperator(t, account, `new-${account.email}`);
    const own = t.api(await sessionOf(t, account.email));
    assert.equal((await own.delete(`/v1/account/operators/${account.email}`)).status, 200);
    assert.equal((await t.api().post(VIEW, proof)).body.error, 'invalid_token');
  });

  it('five wrong codes end the request, by link or session; a request of another account stays open', async () => {
    const { t } = suite;
    const bystander = await asked(t);
    for (const way of ['token', 'session'] as const) {
      const { account, request, proof } = await asked(t);
      const shown = way === 'token' ? { token: proof.token } : { session: await sessionOf(t, account.email) };
      const wrong = { ...shown, user_code: way === 'token' ? bystander.proof.user_code : otherThan(proof.user_code) };
      for (let i = 0; i < 4; i++) {
        const refused = await t.api().post(VIEW, wrong);
        assert.deepEqual([refused.status, refused.body.error], [404, 'unknown_user_code']);
      }
      const poll = () => account.api.post(POLL, { device_code: request.device_code });
      assert.equal((await poll()).body.status, 'authorization_pending');
      assert.equal((await t.api().post(APPROVE, { ...wrong, decision: 'deny' })).status, 404);
      assert.deepEqual([(await poll()).body.status, (await poll()).body.reason], ['denied', 'wrong_codes']);
      const late = await t.api().post(APPROVE, { ...proof, decision: 'approve', credential_value: 'v' });
      assert.deepEqual([late.status, late.body.error], [409, 'already_resolved']);
      const [event] = (await account.api.get('/v1/events?type=credential.resolved')).body.events;
      assert.deepEqual([event.data.status, event.data.reason], ['denied', 'wrong_codes']);
    }
    assert.equal((await t.api().post(VIEW, bystander.proof)).status, 200);
  });

  it('400 for a value the agent cannot use: plain with a key, sealed without one, or missing', async () => {
    const { t } = suite;
    const sealed = Buffer.alloc(80, 7).toString('base64url');
    const own = await asked(t, { public_key: Buffer.alloc(32, 9).toString('base64url') });
    const plain = await asked(t);
    const tries = [
      [own, { credential_value: 'v' }, 'sealed_value_required'],
      [own, {}, 'sealed_value_required'],
      [plain, { sealed_value: sealed }, 'credential_value_required'],
      [plain, {}, 'credential_value_required'],
      [own, { sealed_value: 'AAAA' }, 'invalid_request'],
    ] as const;
    for (const [{ proof }, value, error] of tries)
      assert.equal((await t.api().post(APPROVE, { ...proof, decision: 'approve', ...value })).body.error, error);
    assert.equal(
      (await t.api().post(APPROVE, { ...own.proof, decision: 'approve', sealed_value: sealed })).status,
      200,
    );
    const { body } = await own.account.api.post(POLL, { device_code: own.request.device_code });
    assert.deepEqual([body.sealed_value, body.credential_value], [sealed, undefined]);
  });

  it('the operator of the platform decides a pod’s request', async () => {
    const { t } = suite;
    const platform = await operated(t);
    const [key, pod] = [mintKey('pod'), `acc_${'0'.repeat(24)}c${t.engine === 'sqlite' ? 1 : 2}`];
    await t.sql(
      `insert into accounts (id, parent_id, tier, status, capabilities, created_at) values (?, ?, 'free', 'active', '[]', 0)`,
      pod,
      platform.accountId,
    );
    await t.sql(
      `insert into api_keys (hash, account_id, kind, status, prefix, created_at) values (?, ?, 'pod', 'active', ?, 0)`,
      ...[hashSecret(key), pod, keyPrefix(key, 'pod')],
    );
    const request = (await t.api(key).post('/v1/credentials/request', { description: 'for a pod' })).body;
    const session = await sessionOf(t, platform.email);
    const { user_code } = request;
    assert.equal((await t.api().post(VIEW, { user_code, session })).body.agent.account_id, pod);
    await t.api().post(APPROVE, { user_code, session, decision: 'approve', credential_value: 'pod value' });
    const polled = await t.api(key).post(POLL, { device_code: request.device_code });
    assert.equal(polled.body.credential_value, 'pod value');
  });

  it('no table holds the plain value, before or after delivery', async () => {
    const { t } = suite;
    const value = 'sk_live_cornflower';
    await withSnapshots(t, async (take) => {
      const { account, request, proof } = await asked(t);
      const headers = { 'idempotency-key': 'give' };
      await t.api().post(APPROVE, { ...proof, decision: 'approve', credential_value: value }, headers);
      const forms = [value, Buffer.from(value).toString('base64url'), Buffer.from(value).toString('hex')];
      const isHeld = async (): Promise<boolean> => {
        const rows = JSON.stringify(await take());
        return forms.some((form) => rows.includes(form));
      };
      assert.equal(await isHeld(), false);
      const polled = await account.api.post(POLL, { device_code: request.device_code }, headers);
      assert.equal(polled.body.credential_value, value);
      assert.equal(await isHeld(), false);
    });
    assert.deepEqual(t.faults, []);
  });

  it('each step appends to the audit chain of the agent’s account, without the value', async () => {
    const { t } = suite;
    const { account, request, proof } = await asked(t);
    await t.api().post(VIEW, { ...proof, user_code: otherThan(proof.user_code) });
    await t.api().post(VIEW, proof);
    await t.api().post(APPROVE, { ...proof, decision: 'approve', credential_value: 'heliotrope' });
    await account.api.post(POLL, { device_code: request.device_code });
    const rows = await t.sql(
      'select action, entry from audit_entries where account_id = ? order by seq',
      account.accountId,
    );
    assert.deepEqual(rows.map(({ action }) => action).slice(-5), [
      'credential.requested',
      'credential.code_refused',
      'credential.viewed',
      'credential.resolved',
      'credential.delivered',
    ]);
    assert.equal(JSON.parse(String(rows.at(-4)?.entry)).result, 'refused');
    assert.ok(!JSON.stringify(rows).includes('heliotrope'));
  });
});

onEngines('both', 'the operator of a request: what the database decides', {}, (suite) => {
  it('one of 20 parallel decisions counts, and none after the expiry', async () => {
    const { t } = suite;
    const { account, request, proof } = await asked(t);
    const give = (i: number) => ({ ...proof, decision: 'approve', credential_value: `value ${i}` });
    const refuse = { ...proof, decision: 'deny' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => t.api().post(APPROVE, i % 2 === 0 ? give(i) : refuse)),
    );
    const [winner, ...more] = replies.filter(({ status }) => status === 200);
    assert.equal(more.length, 0);
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    const polled = (await account.api.post(POLL, { device_code: request.device_code })).body;
    assert.equal(polled.status, winner?.body.status);
    const events = (await account.api.get('/v1/events?type=credential.resolved')).body.events;
    assert.equal(events.length, 1);
    const late = await asked(t);
    t.clock.advance(600_000);
    const outcomes = await Promise.all(
      [give(1), refuse].map((body) => t.api().post(APPROVE, { ...body, ...late.proof })),
    );
    for (const { status, body } of outcomes) assert.deepEqual([status, body.error], [410, 'expired']);
    assert.equal((await late.account.api.post(POLL, { device_code: late.request.device_code })).body.status, 'expired');
  });
});
