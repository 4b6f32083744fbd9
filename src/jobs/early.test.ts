import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession } from '../../test/support/agents.ts';
import { addPasskey, SoftwarePasskey } from '../../test/support/authenticator.ts';
import { onEngines, type TestApp } from '../../test/support/harness.ts';
import { NAMED_HOST, operatedWithPasskey } from '../../test/support/passkeys.ts';
import { DAY_MS, HOUR_MS } from '../base/period.ts';

/** What waits for a given time, and until when. */
const waiting = async (t: TestApp): Promise<string[]> => {
  const rows = await t.sql('select kind, id, run_at from jobs where run_at > ? order by id', t.clock.now());
  return rows.map(({ kind, id, run_at }) => `${kind} ${id} ${run_at}`);
};

onEngines('both', 'a job that comes before its time', NAMED_HOST, (suite) => {
  it('does nothing and waits for it, whatever its kind', async () => {
    const { t } = suite;
    const owner = (await t.api().post('/v1/auth/keys', { backup: true })).body;
    t.clock.advance(30 * DAY_MS);
    assert.equal((await t.api(owner.api_key).delete('/v1/auth/keys/backup')).status, 200);
    const { session } = await operatedWithPasskey(t);
    assert.equal((await addPasskey(session, new SoftwarePasskey(t.baseUrl))).status, 202);
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address, subject: 'Hello', text: 'Hello' });
    const { messages } = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body;
    const message = `/v1/email/messages/${messages[0].message_id}?address=${ada.address}`;
    assert.equal((await ada.api.delete(message)).status, 200);
    const boss = `boss-${ada.accountId}@example.org`;
    await confirmOperator(t, ada, boss);
    const operator = await openSession(t, boss);
    assert.equal((await operator.put('/v1/email/policy', { outbound: { hold: 'always' } })).status, 200);
    const mail = { to: 'x@example.net', subject: 'Offer', text: 'Dear X' };
    assert.equal((await ada.api.post('/v1/email/send', { from: ada.address, ...mail })).status, 202);
    const sendAt = new Date(t.clock.now() + HOUR_MS).toISOString();
    assert.equal((await ada.api.post('/v1/email/drafts', { ...mail, send_at: sendAt })).status, 201);
    await ada.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    assert.equal((await ada.api.post('/v1/charge', { amount: 2 })).status, 202);
    const bob = await createAgent(t);
    assert.equal((await bob.api.delete(`/v1/email/addresses/${bob.address}`)).status, 200);
    assert.equal((await (await t.createAccount()).api.delete('/v1/account')).status, 202);
    await t.app.worker.runDue();

    const before = await waiting(t);
    const kinds = ['account.delete', 'approval.expire', 'draft.send', 'mail.passkey', 'mailbox.empty', 'mailbox.purge'];
    const all = [...kinds, 'notice.end', 'review.expire'];
    assert.deepEqual([...new Set(before.map((line) => line.split(' ')[0]))].toSorted(), all);
    await t.sql('update jobs set run_at = ? where run_at > ?', t.clock.now(), t.clock.now());
    // That was another connection: without news of it, reads of this turn see the jobs as they were.
    t.app.database.pollForeignWrites();
    await t.app.worker.runDue();
    assert.deepEqual(await waiting(t), before);
  });
});
