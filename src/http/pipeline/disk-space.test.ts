import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../test/support/agents.ts';
import { onEngines, startTestApp } from '../../../test/support/harness.ts';

const MEBIBYTE = 1_048_576;
let free = 1000 * MEBIBYTE;

const options = { env: { DISK_FREE_MIN: '100M' }, freeBytes: async () => free };

onEngines('any', 'an almost full disk', options, (suite) => {
  it('defers mail and refuses writes; reading, deleting and revoking go on, and space that is free again ends it', async () => {
    const { t } = suite;
    const { disk, intake } = t.app.provided;
    free = 1000 * MEBIBYTE;
    await disk.look();
    const { api, address } = await createAgent(t);
    await t.sendSmtp({ to: address, subject: 'before', text: 'x' });
    await intake.idle();
    await api.put('/v1/vault/one', { ciphertext: 'abcd' });
    free = 99 * MEBIBYTE;
    await disk.look();
    await assert.rejects(t.sendSmtp({ to: address, subject: 'during', text: 'x' }), /451.*4\.3\.1/);
    const refused = await api.put('/v1/vault/two', { ciphertext: 'abcd' });
    assert.deepEqual([refused.status, refused.body.error], [503, 'storage_unavailable']);
    assert.equal(refused.headers.get('retry-after'), '60');
    assert.equal((await t.api().post('/v1/auth/keys')).status, 503);
    assert.equal((await api.get('/v1/vault/one')).status, 200);
    assert.equal((await api.get(`/v1/email/inbox?address=${address}`)).body.messages.length, 1);
    assert.equal((await api.delete('/v1/vault/one')).status, 200);
    assert.equal((await api.post('/v1/auth/logout')).status < 500, true);
    const ready = await t.api().get('/ready');
    assert.deepEqual([ready.status, ready.body.disk], [200, 'low']);
    free = 105 * MEBIBYTE;
    await disk.look();
    assert.equal((await t.api().get('/ready')).body.disk, 'low');
    free = 111 * MEBIBYTE;
    await disk.look();
    assert.equal((await t.api().get('/ready')).body.disk, 'ok');
    assert.equal((await api.put('/v1/vault/two', { ciphertext: 'abcd' })).status, 201);
    await t.sendSmtp({ to: address, subject: 'after', text: 'x' });
    assert.equal(t.faults.filter(({ message }) => /the disk/.test(message)).length, 2);
  });
});

it('asks the file system: more than any disk has is too little from the start', async () => {
  const t = await startTestApp('sqlite', { env: { DISK_FREE_MIN: '99999999G' } });
  try {
    assert.equal((await t.api().get('/ready')).body.disk, 'low');
    assert.equal((await t.api().post('/v1/auth/keys')).status, 503);
  } finally {
    await t.stop();
  }
});
