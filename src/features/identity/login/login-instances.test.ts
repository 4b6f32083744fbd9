import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../../../../test/support/eventually.ts';
import { createApi, freshDatabase } from '../../../../test/support/harness.ts';
import { type App, startApp } from '../../../app.ts';
import { readConfig } from '../../../config/service-config.ts';

const ME = '/v1/account/me';
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Two instances on one PostgreSQL. Each has cached the key before it changes on the other. */
describe('two instances on one database', () => {
  let instances: App[] = [];
  let drop: () => Promise<void>;
  const at = (i: number, key?: string) => createApi((instances[i % 2] as App).baseUrl, key);

  async function newAccount() {
    const { api_key, account_id } = (await at(0).post('/v1/auth/keys')).body;
    for (const i of [0, 1]) assert.equal((await at(i, api_key).get(ME)).status, 200);
    return { key: api_key as string, accountId: account_id as string };
  }

  before(async () => {
    const database = await freshDatabase('postgres');
    drop = database.drop;
    const limits = { free: { requests_per_day: 10_000 }, signups_per_ip_per_hour: 1000 };
    const env = {
      PORT: '0',
      SMTP_PORT: 'off',
      IMAP_PORT: 'off',
      SUBMISSION_PORT: 'off',
      LOG_LEVEL: 'silent',
      LIMITS: JSON.stringify(limits),
      ...database.env,
    };
    instances = await Promise.all(times(2, () => startApp(readConfig(env), silent)));
  });
  after(async () => {
    await Promise.all(instances.map((app) => app.stop()));
    await drop();
  });

  it('a key rotated on one instance is 401 on the other with the next request', async () => {
    let { key } = await newAccount();
    for (let i = 0; i < 20; i++) {
      const { body } = await at(i, key).post('/v1/auth/keys/rotate');
      assert.equal((await at(i + 1, key).get(ME)).status, 401);
      assert.equal((await at(i + 1, body.api_key).get(ME)).status, 200);
      key = body.api_key;
    }
  });

  it('a named key deleted or rotated on one instance ends on the other with the next request', async () => {
    const { key } = await newAccount();
    const make = async (fields = {}) =>
      (await at(0, key).post('/v1/account/keys', { name: 'ci', scopes: ['account:read'], ...fields })).body;
    for (let i = 0; i < 5; i++) {
      const [gone, rotated] = [await make(), await make()];
      for (const { api_key } of [gone, rotated])
        for (const instance of [0, 1]) assert.equal((await at(instance, api_key).get(ME)).status, 200);
      await at(i, key).delete(`/v1/account/keys/${gone.id}`);
      assert.equal((await at(i + 1, gone.api_key).get(ME)).status, 401);
      const { body } = await at(i, key).post(`/v1/account/keys/${rotated.id}/rotate`);
      assert.equal((await at(i + 1, rotated.api_key).get(ME)).status, 401);
      assert.equal((await at(i + 1, body.api_key).get(ME)).status, 200);
      await at(i, key).delete(`/v1/account/keys/${rotated.id}`);
    }
  });

  it('a named key deleted on one instance closes its stream on the other', async () => {
    const { key } = await newAccount();
    const scopes = ['events:read'];
    const { id, api_key } = (await at(0, key).post('/v1/account/keys', { name: 'ci', scopes })).body;
    const headers = { authorization: `Bearer ${api_key}` };
    const stream = await fetch(`${(instances[1] as App).baseUrl}/v1/events/stream`, { headers });
    assert.equal(stream.status, 200);
    await at(0, key).delete(`/v1/account/keys/${id}`);
    assert.match(await stream.text(), /retry: 2000\n\n$/);
  });

  it('a backup key activated on one instance works on the other at once, and the primary does not', async () => {
    const { key } = await newAccount();
    const { backup_key } = (await at(0, key).post('/v1/auth/keys/generate-backup')).body;
    assert.equal((await at(1, backup_key).get(ME)).status, 403);
    assert.equal((await at(0, backup_key).post('/v1/auth/keys/activate-backup')).status, 200);
    assert.equal((await at(1, backup_key).get(ME)).status, 200);
    assert.equal((await at(1, key).get(ME)).status, 401);
  });

  it('50 rotations of one key, half on each instance: one succeeds, and its key works on both', async () => {
    const { key } = await newAccount();
    const replies = await Promise.all(times(50, (i) => at(i, key).post('/v1/auth/keys/rotate')));
    const winners = replies.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.ok(replies.every(({ status }) => status === 200 || status === 401));
    for (const i of [0, 1]) assert.equal((await at(i, winners[0]?.body.api_key).get(ME)).status, 200);
  });

  it('50 requests with one Idempotency-Key, half on each instance: one effect and one reply', async () => {
    const { key, accountId } = await newAccount();
    const address = `one-${accountId.slice(-8)}`;
    const headers = { 'idempotency-key': 'both' };
    const claim = (i: number) => at(i, key).post('/v1/email/claim', { address }, headers);
    const replies = await Promise.all(times(50, claim));
    const answered = replies.filter(({ status }) => status === 201);
    assert.equal(new Set(answered.map(({ text }) => text)).size, 1);
    assert.equal(answered.filter((reply) => reply.headers.get('idempotency-replayed') === null).length, 1);
    const others = replies.filter(({ status }) => status !== 201).map(({ body }) => body.error);
    assert.ok(
      others.every((error) => error === 'idempotency_in_progress'),
      String(others),
    );
    for (const i of [0, 1]) assert.equal((await claim(i)).text, answered[0]?.text);
  });

  it('requests counted by one instance reach the other within seconds', async () => {
    const { key } = await newAccount();
    for (let i = 0; i < 10; i++) await at(0, key).get(ME);
    // One request to each instance filled its cache. The requests that this instance counted itself are subtracted.
    let own = 1;
    await eventually(async () => {
      own += 1;
      return (await at(1, key).get('/v1/usage')).body.requests.used - own === 11;
    });
  });
});
