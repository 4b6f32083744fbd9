import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSession } from '../../../../test/support/agents.ts';
import { confirmAt, sessionOf } from '../../../../test/support/confirmed.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const SECURE = '/v1/account/secure';
const ME = '/v1/account/me';
const GENERATE = '/v1/auth/keys/generate-backup';
const ACTIVATE = '/v1/auth/keys/activate-backup';
const ROTATE = '/v1/auth/keys/rotate';

const opens = async (t: TestApp, key: string): Promise<number> => (await t.api(key).get(ME)).status;

/** An account whose first hour is over. */
async function settled(t: TestApp): Promise<TestAccount> {
  const account = await t.createAccount();
  t.clock.advance(HOUR_MS);
  return account;
}

onEngines('any', 'POST /v1/account/secure', {}, (suite) => {
  it('H1: evicts a thief who made a backup key, where a rotation does not', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const planted = (await t.api(owner.key).post(GENERATE)).body;
    const rotated = (await owner.api.post(ROTATE)).body;
    assert.match(rotated.warning, /POST \/v1\/account\/secure/);
    assert.ok(rotated.warning.includes(`backup key ${planted.key_prefix}`), rotated.warning);
    const taken = await t.api(rotated.api_key).post(GENERATE);
    assert.deepEqual([taken.status, taken.body.error], [409, 'backup_exists']);
    assert.match(taken.body.message, /DELETE \/v1\/auth\/keys\/backup/);

    const { status, body } = await t.api(rotated.api_key).post(SECURE);
    assert.equal(status, 200);
    assert.deepEqual([body.ended.keys, body.backup], [1, null]);
    assert.ok(body.recent_changes.some(({ what }: { what: string }) => what === 'key.backup_generated'));
    assert.equal((await t.api(planted.backup_key).post(ACTIVATE)).status, 401);
    assert.deepEqual([await opens(t, rotated.api_key), await opens(t, owner.key)], [401, 401]);
    assert.equal(await opens(t, body.api_key), 200);
    assert.equal((await t.api(body.api_key).post(GENERATE)).status, 201);
  });

  it('removes a planted backup key with DELETE as well, at once', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const { backup_key } = (await t.api(owner.key).post(GENERATE)).body;
    assert.deepEqual((await owner.api.delete('/v1/auth/keys/backup')).body, {
      status: 'ended',
      ends_at: new Date(t.clock.now()).toISOString(),
    });
    assert.equal((await t.api(backup_key).post(ACTIVATE)).status, 401);
  });

  it('keeps an old backup key, and is called by it, which uses it up', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const { backup_key, created_at } = (await owner.api.post(GENERATE)).body;
    t.clock.advance(7 * DAY_MS);
    const first = (await owner.api.post(SECURE)).body;
    assert.deepEqual(first.backup, { created_at, ends_at: null });
    const second = await t.api(backup_key).post(SECURE);
    assert.deepEqual([second.status, second.body.backup], [200, null]);
    assert.deepEqual([await opens(t, first.api_key), await opens(t, second.body.api_key)], [401, 200]);
    assert.equal((await t.api(backup_key).post(SECURE)).status, 401);
  });

  it('a session of a confirmed address may call it, no other; it keeps itself and ends the others', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const email = `unconfirmed-${t.engine}@example.com`;
    await owner.api.post('/v1/account/operator-email', { email });
    const { api: session, address } = await sessionOf(t, owner);
    const other = await openSession(t, address);
    const { body } = await session.post(SECURE);
    assert.deepEqual([body.ended.sessions, (await session.get(ME)).status], [1, 200]);
    assert.deepEqual([(await other.get(ME)).status, await opens(t, owner.key)], [401, 401]);
    await t.sql('delete from people where account_id = ?', owner.accountId);
    const refused = await session.post(SECURE);
    assert.deepEqual([refused.status, refused.body.error], [403, 'confirmed_address_required']);
    assert.equal(await opens(t, body.api_key), 200);
  });

  it('does not end the session and link of an operator', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const email = `operator-${t.engine}@example.com`;
    await owner.api.post('/v1/account/operator-email', { email });
    const token = `session_${'o'.repeat(32)}`;
    const { hashSecret } = await import('../../../base/secret.ts');
    await confirmAt(t, owner.accountId, email, t.clock.now() - 8 * DAY_MS, 'operator');
    await t.sql(
      `insert into sessions (id, hash, account_id, email, operator, created_at, expires_at) values (?, ?, ?, ?, 1, ?, ?)`,
      ...['ses_00000000000000000000000000', hashSecret(token), owner.accountId, email],
      ...[t.clock.now(), t.clock.now() + DAY_MS],
    );
    const { body } = await owner.api.post(SECURE);
    assert.equal(body.ended.sessions, 0);
    assert.equal((await t.api(token).get(ME)).status, 200);
  });

  it('cancels removals that a thief announced, and tells the confirmed addresses', async () => {
    const { t } = suite;
    const { body: made } = await t.api().post('/v1/auth/keys', { backup: true });
    const owner = { api: t.api(made.api_key), accountId: made.account_id };
    t.clock.advance(HOUR_MS);
    const { address } = await sessionOf(t, owner);
    await owner.api.delete('/v1/auth/keys/backup');
    const { body } = await owner.api.post(SECURE);
    assert.deepEqual((await t.api(body.api_key).get('/v1/account/notices')).body.notices, []);
    assert.equal(body.backup.ends_at, null);
    const mails = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${address}`));
    assert.ok(mails.some((mail) => mail.includes('Your account was secured')));
    assert.ok(mails.every((mail) => !mail.includes(body.api_key)));
    t.clock.advance(8 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal((await t.api(made.backup_key).post(ACTIVATE)).status, 200);
  });
});

onEngines('both', 'POST /v1/account/secure', {}, (suite) => {
  it('H1: against a thief who activates his backup key at the same moment: in the end the owner alone is in', async () => {
    const { t } = suite;
    const won = { owner: 0, thief: 0 };
    for (let round = 0; round < 12; round++) {
      const owner = await settled(t);
      const { backup_key } = (await owner.api.post(GENERATE)).body;
      const { address } = await sessionOf(t, owner);
      const [first, second] = round % 2 === 0 ? [owner.key, backup_key] : [backup_key, owner.key];
      const call = (key: string) => t.api(key).post(key === owner.key ? SECURE : ACTIVATE);
      const replies = await Promise.all([call(first), call(second)]);
      const [secured, activated] = round % 2 === 0 ? replies : replies.toReversed();
      const isFirst = secured?.status === 200;
      assert.equal(isFirst, activated?.status !== 200, `round ${round}: exactly one`);
      won[isFirst ? 'owner' : 'thief'] += 1;
      // The thief's activation ended the owner's session. His mailbox opens another, and has the last word.
      const last = isFirst ? secured : await (await openSession(t, address)).post(SECURE);
      assert.equal(last.status, 200);
      assert.equal(await opens(t, last.body.api_key), 200);
      for (const key of [backup_key, owner.key]) assert.equal(await opens(t, key), 401);
    }
    assert.equal(won.owner + won.thief, 12);
  });

  it('of 10 parallel calls with one key one gets the new key', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const replies = await Promise.all(Array.from({ length: 10 }, () => owner.api.post(SECURE)));
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    assert.deepEqual([others.length, replies.filter(({ status }) => status === 401).length], [0, 9]);
    assert.equal(await opens(t, winner?.body.api_key), 200);
  });

  it('stays without effect when a part of it fails', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const { backup_key } = (await owner.api.post(GENERATE)).body;
    const parts = t.app.provided.secureParts;
    parts.push(() => Promise.reject(new Error('the last part fails')));
    const failed = await owner.api.post(SECURE);
    parts.pop();
    assert.equal(failed.status, 500);
    assert.equal(await opens(t, owner.key), 200);
    assert.equal((await t.api(backup_key).post(ACTIVATE)).status, 200);
    t.faults.length = 0;
  });
});

onEngines(
  'any',
  'the bucket of secure',
  { limits: { secures_per_hour: 5, free: { requests_per_day: 100 } } },
  (suite) => {
    it('is spent neither by other calls nor by refused ones', async () => {
      const { t } = suite;
      const owner = await settled(t);
      for (let n = 0; n < 110; n++) await owner.api.get(ME);
      assert.equal(await opens(t, owner.key), 429);
      for (let n = 0; n < 10; n++) assert.equal((await owner.api.post(SECURE, { revert: 'x' })).status, 400);
      assert.equal((await owner.api.post(SECURE)).status, 200);
    });

    it('counts the sessions of one address together, apart from the key', async () => {
      const { t } = suite;
      const owner = await settled(t);
      const { api: session, address } = await sessionOf(t, owner);
      for (let n = 0; n < 5; n++) assert.equal((await session.post(SECURE)).status, 200);
      const again = await openSession(t, address);
      for (const api of [session, again]) {
        const refused = await api.post(SECURE);
        assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
      }
      t.clock.advance(HOUR_MS);
      const { body, status } = await again.post(SECURE);
      assert.equal(status, 200);
      for (let key = body.api_key, n = 0; n < 6; n++) {
        const next = await t.api(key).post(SECURE);
        assert.equal(next.status, 200, 'a key and those it replaced may go on');
        key = next.body.api_key;
      }
    });
  },
);
