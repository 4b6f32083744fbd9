import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';

const LIMITS = { stacks: 1, addresses: 10, dns_records: 10, emails_per_day: 10, requests_per_day: 100 };
const LIMITS_OF_A_FRESH_SERVICE = { limits: { free: { requests_per_day: 100 } } };

/** Invalid bodies, and the field that each refusal names. */
const BAD_BODIES: readonly [string, unknown, string][] = [
  ['a name over 100 characters', { name: 'x'.repeat(101) }, '/body/name'],
  ['a name that is not text', { name: 7 }, '/body/name'],
  ['a name that is null', { name: null }, '/body/name'],
  ['a name with a line break', { name: 'Ada\r\nBcc: eve@example.com' }, '/body/name'],
  ['an email without a domain', { email: 'ada' }, '/body/email'],
  ['an email with a space', { email: 'ada lovelace@example.com' }, '/body/email'],
  ['an email with a line break', { email: 'ada@example.com\nBcc: eve@example.com' }, '/body/email'],
  ['an email over 254 characters', { email: `${'a'.repeat(60)}@${'b.'.repeat(120)}example` }, '/body/email'],
  ['an email that is not text', { email: ['ada@example.com'] }, '/body/email'],
  ['an empty email', { email: '' }, '/body/email'],
  ['a backup that is not a boolean', { backup: 'yes' }, '/body/backup'],
];

for (const path of ['/v1/auth/keys', '/v1/keys']) {
  onEngines('any', `POST ${path}: the request body`, LIMITS_OF_A_FRESH_SERVICE, (suite) => {
    for (const [what, body, field] of BAD_BODIES) {
      it(`400 invalid_request: ${what}; creates no account`, async () => {
        const { t } = suite;
        const count = async () => Number((await t.sql('select count(*) as n from accounts'))[0]?.n);
        const before = await count();
        const refused = await t.api().post(path, body);
        assert.equal(refused.status, 400);
        assert.equal(refused.body.error, 'invalid_request');
        assert.equal(refused.body.details[0].path, field);
        assert.equal(await count(), before);
      });
    }

    it('201 without a body, with an empty one, and with every field', async () => {
      const { t } = suite;
      for (const body of [undefined, {}, { name: 'Ada', email: 'ada@example.com', backup: false }])
        assert.equal((await t.api().post(path, body)).status, 201);
    });

    it('stores the name and the email in lower case, as GET /v1/account/me shows', async () => {
      const { t } = suite;
      const { body } = await t.api().post(path, { name: 'Ada Łovelace', email: ' Ada@Example.COM' });
      const me = (await t.api(body.api_key ?? body.key).get('/v1/account/me')).body;
      assert.deepEqual([me.name, me.email, me.recovery_email], ['Ada Łovelace', 'ada@example.com', null]);
    });

    it('creates a backup key only with "backup": true', async () => {
      const { t } = suite;
      const plain = (await t.api().post(path, {})).body;
      assert.equal('backup_key' in plain, false);
      const { body } = await t.api().post(path, { backup: true });
      assert.match(body.backup_key, /^signet_bak_[0-9A-Za-z]{38}$/);
      assert.equal((await t.api(body.backup_key).get('/v1/account/me')).status, 403);
      assert.equal((await t.api(body.backup_key).post('/v1/auth/keys/activate-backup')).status, 200);
      assert.equal((await t.api(body.api_key ?? body.key).get('/v1/account/me')).status, 401);
    });
  });
}

onEngines('any', 'POST /v1/auth/keys: the reply', LIMITS_OF_A_FRESH_SERVICE, (suite) => {
  it('201 with exactly the fields of the specification', async () => {
    const { t } = suite;
    const { status, body } = await t.api().post('/v1/auth/keys', { name: 'Ada' });
    assert.equal(status, 201);
    assert.match(body.api_key, /^signet_live_[0-9A-Za-z]{38}$/);
    assert.match(body.account_id, /^acc_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(typeof body.warning, 'string');
    assert.deepEqual(body, {
      api_key: body.api_key,
      key_prefix: body.api_key.slice(0, 'signet_live_'.length + 4),
      account_id: body.account_id,
      tier: 'free',
      created_at: new Date(t.clock.now()).toISOString(),
      warning: body.warning,
      limits: LIMITS,
    });
  });

  it('verbose=false removes only the warning', async () => {
    const { t } = suite;
    const { status, body } = await t.api().post('/v1/auth/keys?verbose=false', { backup: true });
    assert.equal(status, 201);
    const fields = ['account_id', 'api_key', 'backup_key', 'created_at', 'key_prefix', 'limits', 'tier'];
    assert.deepEqual(Object.keys(body).sort(), fields);
  });
});

onEngines('any', 'POST /v1/keys: the reply', LIMITS_OF_A_FRESH_SERVICE, (suite) => {
  it('201 with exactly the fields of the short form', async () => {
    const { t } = suite;
    const { status, body } = await t.api().post('/v1/keys', {});
    assert.equal(status, 201);
    assert.match(body.key, /^signet_live_[0-9A-Za-z]{38}$/);
    assert.match(body.account_id, /^acc_/);
    assert.equal(body.created_at, new Date(t.clock.now()).toISOString());
    assert.equal(typeof body.note, 'string');
    assert.deepEqual(Object.keys(body).sort(), ['account_id', 'created_at', 'key', 'note']);
  });

  it('verbose=false removes only the note', async () => {
    const { t } = suite;
    const { body } = await t.api().post('/v1/keys?verbose=false', {});
    assert.deepEqual(Object.keys(body).sort(), ['account_id', 'created_at', 'key']);
  });
});
