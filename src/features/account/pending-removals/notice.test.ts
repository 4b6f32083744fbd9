import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const NOTICES = '/v1/account/notices';
const BACKUP = '/v1/auth/keys/backup';

/** An account with a backup key from its sign-up. */
async function withBackup(t: TestApp): Promise<TestAccount & { backup: string }> {
  const { body } = await t.api().post('/v1/auth/keys', { backup: true });
  return { key: body.api_key, backup: body.backup_key, accountId: body.account_id, api: t.api(body.api_key) };
}

const mailsTo = async (t: TestApp, address: string): Promise<string[]> =>
  (await t.outboxMails()).filter((mail) => mail.includes(`To: ${address}`));

const typesOf = async ({ api }: TestAccount): Promise<string[]> =>
  (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);

onEngines('any', 'removing an old factor', {}, (suite) => {
  it('a thief with the primary neither removes the old backup key nor undoes anything', async () => {
    const { t } = suite;
    const owner = await withBackup(t);
    t.clock.advance(HOUR_MS);
    const thief = t.api(owner.key);
    assert.equal((await thief.delete(BACKUP)).body.status, 'scheduled');
    const [{ id }] = (await thief.get(NOTICES)).body.notices;
    const refused = await thief.post(`${NOTICES}/${id}/undo`);
    assert.deepEqual([refused.status, refused.body.error], [403, 'older_factor_required']);
    // The owner uses the backup key within the week, which undoes the removal and ends the thief's key.
    const used = await t.api(owner.backup).post('/v1/auth/keys/activate-backup');
    assert.equal(used.status, 200);
    assert.equal((await thief.get(NOTICES)).status, 401);
    assert.deepEqual((await t.api(owner.backup).get(NOTICES)).body.notices, []);
    t.clock.advance(8 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal((await t.api(owner.backup).get('/v1/account/me')).status, 200);
  });

  it('a session of an address that was old at the time undoes it; of two undos the administrator decides', async () => {
    const { t } = suite;
    const owner = await withBackup(t);
    t.clock.advance(30 * DAY_MS);
    const { api: session } = await sessionOf(t, owner, 8 * DAY_MS);
    for (let n = 0; n < 2; n++) {
      assert.equal((await owner.api.delete(BACKUP)).body.status, 'scheduled');
      const [{ id }] = (await owner.api.get(NOTICES)).body.notices;
      assert.deepEqual((await session.post(`${NOTICES}/${id}/undo`)).body, { ok: true });
      assert.equal((await session.post(`${NOTICES}/${id}/undo`)).status, 404);
    }
    const disputed = await owner.api.delete(BACKUP);
    assert.deepEqual([disputed.status, disputed.body.error], [409, 'removal_disputed']);
  });

  it('a young address, one whose mail comes here, and another account undo nothing', async () => {
    const { t } = suite;
    const owner = await withBackup(t);
    t.clock.advance(8 * DAY_MS);
    const { api: young } = await sessionOf(t, owner, 0);
    await owner.api.delete(BACKUP);
    const [{ id }] = (await owner.api.get(NOTICES)).body.notices;
    assert.equal((await young.post(`${NOTICES}/${id}/undo`)).status, 403);
    const stranger = await t.createAccount();
    const missing = await stranger.api.post(`${NOTICES}/ntc_00000000000000000000000000/undo`);
    const others = await stranger.api.post(`${NOTICES}/${id}/undo`);
    assert.deepEqual([others.status, others.text], [404, missing.text]);
    assert.deepEqual((await stranger.api.get(NOTICES)).body.notices, []);
    await t.sql(`update people set address = 'a@${t.config.mailDomain}' where account_id = ?`, owner.accountId);
    await t.sql(`update sessions set email = 'a@${t.config.mailDomain}' where account_id = ?`, owner.accountId);
    await t.sql('update people set confirmed_at = 1 where account_id = ?', owner.accountId);
    t.app.provided.credentials.forget(owner.accountId);
    assert.equal((await young.post(`${NOTICES}/${id}/undo`)).status, 403);
  });

  it('a session of an address confirmed before it was made removes it at once', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    t.clock.advance(HOUR_MS);
    const { backup_key } = (await owner.api.post('/v1/auth/keys/generate-backup')).body;
    t.clock.advance(30 * DAY_MS);
    const { api: younger } = await sessionOf(t, owner, 29 * DAY_MS);
    assert.equal((await younger.delete(BACKUP)).body.status, 'scheduled');
    const { api: older } = await sessionOf(t, owner, 31 * DAY_MS);
    assert.equal((await older.delete(BACKUP)).body.status, 'ended');
    const whats = (await older.get(NOTICES)).body.notices.map(({ what }: { what: string }) => what);
    assert.ok(!whats.includes('backup_key'));
    assert.equal((await t.api(backup_key).post('/v1/auth/keys/activate-backup')).status, 401);
  });

  it('the administrator removes a disputed factor in 72 hours, and nobody undoes or cancels that', async () => {
    const { t } = suite;
    const owner = await withBackup(t);
    t.clock.advance(30 * DAY_MS);
    const { api: session, address } = await sessionOf(t, owner, 29 * DAY_MS);
    const { removeFactor } = t.app.provided.operator;
    assert.deepEqual(await removeFactor(owner.accountId, 'signet_bak_none'), []);
    await owner.api.delete(BACKUP);
    const [{ target }] = (await owner.api.get(NOTICES)).body.notices;
    const [notice] = await removeFactor(owner.accountId, target);
    assert.equal(notice?.endsAt, t.clock.now() + 72 * HOUR_MS);
    assert.equal((await removeFactor(owner.accountId, target))[0]?.id, notice.id);
    const mails = await mailsTo(t, address);
    assert.ok(mails.some((mail) => mail.includes('The administrator of this service decided this')));
    assert.equal((await session.post(`${NOTICES}/${notice.id}/undo`)).status, 403);
    assert.equal((await session.post('/v1/account/secure')).body.backup.ends_at, new Date(notice.endsAt).toISOString());
    t.clock.advance(72 * HOUR_MS);
    await t.app.worker.runDue();
    assert.equal((await t.api(owner.backup).post('/v1/auth/keys/activate-backup')).status, 401);
  });
});

onEngines('both', 'removing an old factor', {}, (suite) => {
  it('takes 7 days and is told to the account and to its confirmed addresses', async () => {
    const { t } = suite;
    const owner = await withBackup(t);
    const { address } = await sessionOf(t, owner);
    t.clock.advance(30 * DAY_MS);
    const asked = await owner.api.delete(BACKUP);
    const ends_at = new Date(t.clock.now() + 7 * DAY_MS).toISOString();
    assert.deepEqual([asked.status, asked.body], [200, { status: 'scheduled', ends_at }]);
    const { notices } = (await owner.api.get(NOTICES)).body;
    assert.match(notices[0].id, /^ntc_/);
    assert.deepEqual(
      [notices.length, notices[0].what, notices[0].asked_at, notices[0].ends_at],
      [1, 'backup_key', new Date(t.clock.now()).toISOString(), ends_at],
    );
    assert.ok(owner.backup.startsWith(notices[0].target));
    assert.ok((await typesOf(owner)).includes('account.notice_started'));
    const [mail = ''] = (await mailsTo(t, address)).filter((text) => text.includes('will be removed'));
    assert.match(mail, /the backup key/);
    assert.equal((await owner.api.delete(BACKUP)).body.ends_at, ends_at, 'asking again changes nothing');

    t.clock.advance(7 * DAY_MS - 1000);
    await t.app.worker.runDue();
    assert.equal((await owner.api.get(NOTICES)).body.notices.length, 1);
    t.clock.advance(1000);
    await t.app.worker.runDue();
    assert.deepEqual((await owner.api.get(NOTICES)).body.notices, []);
    assert.equal((await t.api(owner.backup).post('/v1/auth/keys/activate-backup')).status, 401);
    assert.equal((await owner.api.delete(BACKUP)).status, 404);
    assert.ok((await typesOf(owner)).includes('account.notice_ended'));
    const [entry] = (await owner.api.get('/v1/audit?action=notice.carried_out')).body.entries;
    assert.deepEqual([entry.actor.kind, owner.backup.startsWith(entry.resource_id)], ['service', true]);
  });
});
