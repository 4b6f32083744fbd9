import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asked, operated } from '../../../../test/contract/samples/credentials.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS } from '../../../base/period.ts';
import { purgeCredentials } from './secret-request.ts';

const REQUEST = '/v1/credentials/request';
const POLL = '/v1/credentials/poll';
const APPROVE = '/v1/credentials/approve';

/** Creates a request whose value is ready to collect. */
async function approvedRequest(t: TestApp, value = 'sk_test_value') {
  const made = await asked(t);
  const given = { ...made.proof, decision: 'approve', credential_value: value };
  assert.equal((await t.api().post(APPROVE, given)).status, 200);
  return made;
}

onEngines('any', 'POST /v1/credentials/request', {}, (suite) => {
  it('201 with the codes of both sides, the page and the expiry', async () => {
    const { t } = suite;
    const { api } = await operated(t);
    const made = await api.post(REQUEST, { description: 'Stripe key', vault_key: 'stripe' });
    assert.equal(made.status, 201);
    const { user_code: code } = made.body;
    assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.match(made.body.device_code, /^device_[0-9A-Za-z]{32}$/);
    assert.match(made.body.request_id, /^crd_/);
    assert.equal(made.body.verification_url, `${t.baseUrl}/credentials`);
    assert.equal(made.body.verification_url_complete, `${t.baseUrl}/credentials#code=${code}`);
    assert.deepEqual([made.body.expires_in, made.body.interval], [600, 5]);
    const [event] = (await api.get('/v1/events?type=credential.requested')).body.events;
    assert.deepEqual(
      [event.data.request_id, event.data.description, event.data.vault_key],
      [made.body.request_id, 'Stripe key', 'stripe'],
    );
  });

  it('stores neither code in plain text', async () => {
    const { t } = suite;
    const { api } = await operated(t);
    const { device_code: device, user_code: code } = (await api.post(REQUEST, { description: 'x' })).body;
    for (const table of ['credential_requests', 'events', 'audit_entries', 'jobs']) {
      const rows = JSON.stringify(await t.sql(`select * from ${table}`));
      assert.ok(!rows.includes(device) && !rows.includes(code), table);
    }
  });

  it('409 operator_email_required, with the remedy, for an account without an operator', async () => {
    const { api } = await suite.t.createAccount();
    const refused = await api.post(REQUEST, { description: 'x' });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.error, 'operator_email_required');
    assert.match(refused.body.message, /POST \/v1\/account\/operator-email/);
  });

  it('400 for a key that is not X25519, and for one of small order', async () => {
    const { api } = await operated(suite.t);
    for (const key of ['short', 'A'.repeat(43)]) {
      const refused = await api.post(REQUEST, { description: 'x', public_key: key });
      assert.equal(refused.status, 400);
      assert.equal(refused.body.details[0].path, '/body/public_key');
    }
  });
});

onEngines('both', 'POST /v1/credentials/request: what the database decides', {}, (suite) => {
  it('429 credential_limit with Retry-After: of 20 parallel requests five are open; the next is possible when one ends', async () => {
    const { t } = suite;
    const { api } = await operated(t);
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.post(REQUEST, { description: 'x' })));
    assert.equal(replies.filter(({ status }) => status === 201).length, 5);
    const refused = replies.filter(({ body }) => body.error === 'credential_limit');
    assert.equal(refused.length, 15);
    assert.equal(refused[0]?.status, 429);
    assert.equal(refused[0]?.headers.get('retry-after'), '600');
    t.clock.advance(600_000);
    assert.equal((await api.post(REQUEST, { description: 'x' })).status, 201);
  });
});

const status = async (api: Api, device: string) => (await api.post(POLL, { device_code: device })).body;

onEngines('any', 'POST /v1/credentials/poll', {}, (suite) => {
  it('authorization_pending within the interval; slow_down adds five seconds for good', async () => {
    const { t } = suite;
    const { account, request } = await asked(t);
    const poll = () => status(account.api, request.device_code);
    assert.deepEqual(
      [(await poll()).status, (await poll()).status, (await poll()).interval],
      ['authorization_pending', 'slow_down', 15],
    );
    t.clock.advance(14_999);
    const early = await poll();
    assert.deepEqual([early.status, early.interval], ['slow_down', 20]);
    t.clock.advance(20_000);
    const onTime = await poll();
    assert.deepEqual([onTime.status, onTime.interval], ['authorization_pending', 20]);
    const other = await asked(t);
    assert.equal(
      (await status(other.account.api, other.request.device_code)).interval,
      5,
      'the interval is the request’s own',
    );
  });

  it('denied with the reason; expired at its expiry', async () => {
    const { t } = suite;
    const refused = await asked(t);
    await t.api().post(APPROVE, { ...refused.proof, decision: 'deny' });
    const denied = await status(refused.account.api, refused.request.device_code);
    assert.deepEqual([denied.status, denied.reason], ['denied', 'operator']);
    const forgotten = await asked(t);
    t.clock.advance(599_999);
    assert.equal((await status(forgotten.account.api, forgotten.request.device_code)).status, 'authorization_pending');
    t.clock.advance(1);
    assert.equal((await status(forgotten.account.api, forgotten.request.device_code)).status, 'expired');
  });

  it('an approved value can be collected for ten minutes', async () => {
    const { t } = suite;
    const [first, second] = [await approvedRequest(t), await approvedRequest(t)];
    t.clock.advance(599_999);
    assert.equal((await status(first.account.api, first.request.device_code)).status, 'approved');
    t.clock.advance(1);
    assert.equal((await status(second.account.api, second.request.device_code)).status, 'expired');
  });

  it('the same 404 for another account’s code and for an unknown one; the value stays for its owner', async () => {
    const { t } = suite;
    const { account, request } = await approvedRequest(t);
    const stranger = await t.createAccount();
    const other = await stranger.api.post(POLL, { device_code: request.device_code });
    const none = await stranger.api.post(POLL, { device_code: `device_${'a'.repeat(32)}` });
    assert.equal(other.status, 404);
    assert.equal(other.text, none.text);
    assert.equal((await status(account.api, request.device_code)).status, 'approved');
  });

  it('an Idempotency-Key does not return the value again', async () => {
    const { t } = suite;
    const { account, request } = await approvedRequest(t);
    const body = { device_code: request.device_code };
    const first = await account.api.post(POLL, body, { 'idempotency-key': 'one' });
    assert.equal(first.body.status, 'approved');
    const again = await account.api.post(POLL, body, { 'idempotency-key': 'one' });
    assert.deepEqual([again.status, again.body.error], [409, 'idempotency_secret_spent']);
  });
});

onEngines('both', 'POST /v1/credentials/poll: what the database decides', {}, (suite) => {
  it('of 20 parallel polls one gets the value; afterwards the request is expired', async () => {
    const { t } = suite;
    const { account, request } = await approvedRequest(t);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => account.api.post(POLL, { device_code: request.device_code })),
    );
    const delivered = replies.filter(({ body }) => body.status === 'approved');
    assert.equal(delivered.length, 1);
    assert.equal(delivered[0]?.body.credential_value, 'sk_test_value');
    assert.equal(replies.filter(({ body }) => body.status === 'expired').length, 19);
    for (const { text } of replies.filter((reply) => reply !== delivered[0])) assert.ok(!text.includes('sk_test'));
    const [row] = await t.sql('select status, sealed_value from credential_requests where id = ?', request.request_id);
    assert.deepEqual({ ...row }, { status: 'delivered', sealed_value: null });
  });

  it('a value that was not collected is deleted, and its request a week later', async () => {
    const { t } = suite;
    const { request } = await approvedRequest(t);
    const purge = () => t.app.database.transaction((tx) => purgeCredentials(tx, t.clock.now()));
    const rows = () => t.sql('select sealed_value from credential_requests where id = ?', request.request_id);
    await purge();
    assert.match(String((await rows())[0]?.sealed_value), /^signet-sealed\.1\.[0-9a-f]{12}\.[\w-]+$/);
    t.clock.advance(600_000);
    await purge();
    assert.deepEqual(
      (await rows()).map((row) => row.sealed_value),
      [null],
    );
    t.clock.advance(7 * DAY_MS);
    await purge();
    assert.deepEqual(await rows(), []);
  });
});
