import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { keyKindOf, mintKey } from '../../../base/secret.ts';

describe('an API key', () => {
  it('ends in a checksum, so that a changed character is detected without a database query', () => {
    for (const kind of ['platform', 'pod', 'backup'] as const) {
      const key = mintKey(kind);
      assert.equal(keyKindOf(key), kind);
      const at = key.length - 10;
      const changed = key.slice(0, at) + (key[at] === 'A' ? 'B' : 'A') + key.slice(at + 1);
      assert.equal(keyKindOf(changed), null);
    }
  });
});

onEngines('any', 'POST /v1/auth/keys', { defaultLimits: true }, (suite) => {
  it('201 with a working key, its prefix and the limits of the tier', async () => {
    const { t } = suite;
    const { status, body } = await t.api().post('/v1/auth/keys', { name: 'Ada' });
    assert.equal(status, 201);
    assert.match(body.api_key, /^signet_live_[0-9A-Za-z]{38}$/);
    assert.equal(body.key_prefix, body.api_key.slice(0, 'signet_live_'.length + 4));
    assert.match(body.account_id, /^acc_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.deepEqual(body.limits, {
      stacks: 1,
      addresses: 10,
      dns_records: 10,
      emails_per_day: 10,
      requests_per_day: 100,
    });
    const me = await t.api(body.api_key).get('/v1/account/me');
    assert.equal(me.status, 200);
    assert.equal(me.body.name, 'Ada');
  });

  it('429 rate_limited with Retry-After: the sixth account from one network within an hour; accepted again an hour later', async () => {
    const { t } = suite;
    t.clock.advance(2 * HOUR_MS);
    for (let i = 0; i < 5; i++)
      assert.equal((await t.api().post(i % 2 ? '/v1/keys' : '/v1/auth/keys', {})).status, 201);
    const refused = await t.api().post('/v1/auth/keys', {});
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error, 'rate_limited');
    assert.equal(refused.headers.get('retry-after'), '3600');
    t.clock.advance(HOUR_MS - 1000);
    assert.equal((await t.api().post('/v1/auth/keys', {})).headers.get('retry-after'), '1');
    t.clock.advance(1000);
    assert.equal((await t.api().post('/v1/auth/keys', {})).status, 201);
  });
});

onEngines('any', 'the life of a key', {}, (suite) => {
  it('rotation: the old key is 401 at once and the new one works; the list shows both', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const rotated = await api.post('/v1/auth/keys/rotate');
    assert.equal(rotated.status, 200);
    assert.equal((await t.api(key).get('/v1/account/me')).status, 401);
    const list = await t.api(rotated.body.api_key).get('/v1/auth/keys/list');
    assert.deepEqual(list.body.keys.map((entry: { status: string }) => entry.status).sort(), ['active', 'revoked']);
  });

  it('a backup key works only with activate-backup, and then replaces the primary', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const backup = (await api.post('/v1/auth/keys/generate-backup', { label: 'safe' })).body.backup_key;
    const refused = await t.api(backup).get('/v1/account/me');
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error, 'backup_key_only_activates');
    assert.equal((await t.api(backup).post('/v1/auth/keys/activate-backup')).status, 200);
    assert.equal((await t.api(key).get('/v1/account/me')).status, 401);
    assert.equal((await t.api(backup).get('/v1/account/me')).status, 200);
    assert.equal((await t.api(backup).post('/v1/auth/keys/activate-backup')).status, 404);
  });
});

onEngines('both', 'the life of a key: what the database decides', {}, (suite) => {
  it('50 parallel rotations with one key: one succeeds, and its new key works', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const replies = await Promise.all(Array.from({ length: 50 }, () => api.post('/v1/auth/keys/rotate')));
    const winners = replies.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.ok(replies.every(({ status }) => status === 200 || status === 401));
    assert.equal((await t.api(winners[0]?.body.api_key).get('/v1/account/me')).status, 200);
  });

  it('50 parallel backup keys: one 201, the others 409 backup_exists', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const replies = await Promise.all(Array.from({ length: 50 }, () => api.post('/v1/auth/keys/generate-backup')));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.ok(replies.filter(({ status }) => status === 409).every(({ body }) => body.error === 'backup_exists'));
  });
});
