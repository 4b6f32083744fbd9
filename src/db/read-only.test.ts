import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../test/support/agents.ts';
import { startTestApp, type TestApp } from '../../test/support/harness.ts';

/** As on the old first server of a cluster: new connections write nothing. Those of the service are cut. */
async function setReadOnly(t: TestApp, isOn: boolean): Promise<void> {
  const [row] = await t.sql('select current_database() as name');
  const set = isOn ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only';
  await t.sql(`set transaction read write; alter database "${row?.name}" ${set}`);
  // Waits until each is gone.
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await t.sql(`select pg_terminate_backend(pid, 60000) ${others}`);
}

it('PostgreSQL that takes no writes for a while: 503, nothing acknowledged is lost, and the repeated call counts once', async () => {
  const t = await startTestApp('postgres');
  try {
    const { api, address } = await createAgent(t);
    const put = (ciphertext: string, key: string) =>
      api.put('/v1/vault/token', { ciphertext }, { 'idempotency-key': key });
    assert.equal((await put('b25l', 'one')).status, 201);
    await setReadOnly(t, true);
    const isSeen = (): boolean => JSON.stringify(t.faults).includes('read-only transaction');
    for (let n = 0; n < 1000 && !isSeen(); n++) {
      const refused = await put('dHdv', 'two');
      assert.deepEqual([refused.status, refused.body.error], [503, 'storage_unavailable']);
    }
    assert.equal((await api.get('/v1/account/me')).status, 200, 'what needs no write is answered');
    await assert.rejects(t.sendSmtp({ to: address, subject: 'hello', text: 'x' }), /45\d/);
    await setReadOnly(t, false);
    let again = await put('dHdv', 'two');
    for (let n = 0; n < 1000 && again.status === 503; n++) again = await put('dHdv', 'two');
    assert.equal(again.status, 200, again.text);
    const { body } = await api.get('/v1/vault/token');
    assert.deepEqual([body.ciphertext, body.version], ['dHdv', 2]);
  } finally {
    await t.stop();
  }
});
