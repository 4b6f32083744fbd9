import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmationFor, openSession } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines } from '../../../../test/support/harness.ts';
import { NAMED_HOST, operatedWithPasskey } from '../../../../test/support/passkeys.ts';

const refusal = ({ status, body }: ApiReply): unknown[] => [status, body.error];
const CONFIRM = '/v1/people/confirm';

onEngines('any', 'the roles of an operator who requires a passkey', NAMED_HOST, (suite) => {
  it('the thief in the mailbox refuses a confirmed role by a mailed login: 403; the operator with a passkey may', async () => {
    const { t } = suite;
    const { account, email, strong } = await operatedWithPasskey(t);
    await strong.post('/v1/passkeys/recovery-codes');
    assert.equal((await strong.patch('/v1/operator/settings', { require_passkey: true })).status, 200);
    const [row] = await t.sql('select id from people where account_id = ?', account.accountId);
    const thief = await openSession(t, email);
    for (const answer of [{ decision: 'refuse' }, { decision: 'confirm', authority: 'operator' }])
      assert.deepEqual(refusal(await thief.post(CONFIRM, { id: row?.id, ...answer })), [403, 'passkey_required']);
    assert.equal((await strong.get('/v1/operator/agents')).body.agents.length, 1);
    assert.equal((await strong.post(CONFIRM, { id: row?.id, decision: 'refuse' })).status, 200);
  });

  it('the thief in the mailbox becomes the operator of no other account, by link or by login; he may refuse what waits', async () => {
    const { t } = suite;
    const { email, strong } = await operatedWithPasskey(t);
    await strong.post('/v1/passkeys/recovery-codes');
    assert.equal((await strong.patch('/v1/operator/settings', { require_passkey: true })).status, 200);
    const [stolen, other] = [await t.createAccount(), await t.createAccount()];
    for (const { api } of [stolen, other]) await api.post('/v1/account/operator-email', { email });
    const token = await confirmationFor(t, stolen.accountId, email);
    const takes = { decision: 'confirm', authority: 'operator' };
    assert.deepEqual(refusal(await t.api().post(CONFIRM, { token, ...takes })), [403, 'passkey_required']);
    const thief = await openSession(t, email);
    const waiting = (await strong.get('/v1/operator/agents')).body.waiting as { id: string; account_id: string }[];
    const idFor = ({ accountId }: { accountId: string }) => waiting.find((each) => each.account_id === accountId)?.id;
    assert.deepEqual(refusal(await thief.post(CONFIRM, { id: idFor(stolen), ...takes })), [403, 'passkey_required']);
    assert.equal((await strong.post(CONFIRM, { id: idFor(stolen), decision: 'confirm' })).status, 200);
    assert.equal((await thief.post(CONFIRM, { id: idFor(other), decision: 'refuse' })).status, 200);
  });
});
