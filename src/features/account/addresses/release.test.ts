import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { deletionsIn } from '../../../../test/support/job-effects.ts';
import { DAY_MS } from '../../../base/period.ts';

async function agentWithMail(t: TestApp) {
  const agent = await createAgent(t);
  await t.sendSmtp({ to: agent.address, subject: 'kept words', text: 'kept words' });
  const inbox = `/v1/email/inbox?address=${agent.address}`;
  const { messages } = (await agent.api.get(inbox)).body;
  const path = `/v1/email/messages/${messages[0].message_id}?address=${agent.address}`;
  return { ...agent, inbox, path };
}

const OPTIONS = { limits: { free: { addresses: 2 } } };

onEngines('any', 'DELETE /v1/email/addresses/{address}', OPTIONS, (suite) => {
  it('200: hides the address and its mail from every read, and refuses mail to it like an unknown one', async () => {
    const { t } = suite;
    const { api, address, path, inbox } = await agentWithMail(t);
    const released = await api.delete(`/v1/email/addresses/${address}`);
    assert.deepEqual([released.status, released.body], [200, { released: true }]);
    assert.deepEqual((await api.get('/v1/email/addresses')).body.addresses, []);
    const hidden = [path, inbox, `/v1/email/threads?address=${address}`, `${inbox}&q=kept`];
    for (const read of hidden) {
      const reply = await api.get(read);
      assert.equal(reply.status, 404, `${read}: ${reply.text}`);
      assert.ok(!reply.text.includes('kept words'));
    }
    await assert.rejects(t.sendSmtp({ to: address, subject: 'late', text: 'late' }), /550/);
    const send = await api.post('/v1/email/send', { from: address, to: ['a@example.com'], subject: 's', text: 't' });
    assert.equal(send.body.error, 'sender_not_owned');
    assert.equal((await api.delete(`/v1/email/addresses/${address}`)).status, 404);
  });

  it('never gives it to another account; the same account gets it back with its mail', async () => {
    const { t } = suite;
    const { api, address, path } = await agentWithMail(t);
    await api.delete(`/v1/email/addresses/${address}`);
    const stranger = await t.createAccount();
    const taken = await stranger.api.post('/v1/email/claim', { address });
    assert.deepEqual([taken.status, taken.body.error], [409, 'address_unavailable']);
    assert.equal((await stranger.api.get(`/v1/email/inbox?address=${address}`)).status, 404);
    assert.equal((await api.post('/v1/email/claim', { address })).status, 201);
    assert.equal((await api.get(path)).body.subject, 'kept words');
  });

  it("404: another account's address looks like one that nobody has", async () => {
    const { t } = suite;
    const { address } = await createAgent(t);
    const { api } = await t.createAccount();
    const others = await api.delete(`/v1/email/addresses/${address}`);
    const missing = await api.delete('/v1/email/addresses/nobody-has-this');
    assert.equal(others.status, 404);
    assert.equal(others.text, missing.text);
  });

  it('403: a named key cannot release; 401 without a key', async () => {
    const { t } = suite;
    const { api, address } = await createAgent(t);
    const named = await api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:manage'] });
    assert.equal((await t.api(named.body.api_key).delete(`/v1/email/addresses/${address}`)).status, 403);
    assert.equal((await t.api().delete(`/v1/email/addresses/${address}`)).status, 401);
    assert.equal((await api.get('/v1/email/addresses')).body.count, 1);
  });
});

onEngines('both', 'DELETE /v1/email/addresses/{address}: what the database decides', OPTIONS, (suite) => {
  it('fills its slot for 30 days; then its mail is gone, and no other account gets it', async () => {
    const { t } = suite;
    const { api, address, accountId } = await agentWithMail(t);
    await createAgent(t, {}, { api, accountId, key: '' });
    await api.delete(`/v1/email/addresses/${address}`);
    const full = await api.post('/v1/email/claim', { address: 'one-too-many' });
    assert.equal(full.body.error, 'address_limit');
    t.clock.advance(30 * DAY_MS);
    await t.app.worker.runDue();
    assert.deepEqual(await t.sql('select id from messages where address = ?', address), []);
    assert.deepEqual(await t.sql('select id from threads where address = ?', address), []);
    assert.deepEqual(await deletionsIn({ api }, 'address.emptied'), [[address, 1]]);
    const stranger = await t.createAccount();
    assert.equal((await stranger.api.post('/v1/email/claim', { address })).status, 409);
    assert.equal((await api.post('/v1/email/claim', { address: `next-${t.clock.now()}` })).status, 201);
    assert.equal((await api.post('/v1/email/claim', { address })).body.error, 'address_limit');
  });

  it('claimed again, it keeps its mail past the 30 days', async () => {
    const { t } = suite;
    const { api, address, path } = await agentWithMail(t);
    await api.delete(`/v1/email/addresses/${address}`);
    await api.post('/v1/email/claim', { address });
    t.clock.advance(31 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal((await api.get(path)).status, 200);
  });
});
