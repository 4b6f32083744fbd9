import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSession } from '../../../test/support/agents.ts';
import { type ApiReply, onBothDatabases } from '../../../test/support/harness.ts';
import { NAMED_HOST, operatedWithPasskey } from '../../../test/support/passkeys.ts';

const refusal = ({ status, body }: ApiReply): unknown[] => [status, body.error];
const CONFIRM = '/v1/people/confirm';

onBothDatabases('the confirmed role of an operator who requires a passkey', NAMED_HOST, (suite) => {
  it('the thief in the mailbox refuses it by a mailed login: 403; the operator with a passkey may', async () => {
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
});
