import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { it } from 'node:test';
import { setTier } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';

/** A new X25519 public key, 32 bytes. */
function publicKey(): Buffer {
  const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
  return Buffer.from(x as string, 'base64url');
}

onEngines('any', 'POST /v1/email/claim', {}, (suite) => {
  it('answers 201 with every field for a bare name and a whole address, in any case', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const bare = await api.post('/v1/email/claim', { address: 'Ada.Lovelace' });
    assert.equal(bare.status, 201);
    assert.deepEqual(bare.body, {
      address: 'ada.lovelace@agents.localhost',
      claimed: true,
      already_owned: false,
      account_id: accountId,
      e2e_enabled: false,
    });
    const whole = await api.post('/v1/email/claim', { address: 'BABBAGE_1@Agents.LOCALHOST' });
    assert.equal(whole.body.address, 'babbage_1@agents.localhost');
    const list = await api.get('/v1/email/addresses');
    assert.deepEqual([...list.body.addresses].sort(), ['ada.lovelace@agents.localhost', 'babbage_1@agents.localhost']);
    assert.equal(list.body.count, 2);
  });

  it('answers 201 already_owned for an address the account has, and takes no slot', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    for (const already of [false, true, true]) {
      const { status, body } = await api.post('/v1/email/claim', { address: already ? 'TWICE' : 'twice' });
      assert.equal(status, 201);
      assert.equal(body.claimed, true);
      assert.equal(body.already_owned, already);
    }
    const rows = await t.sql("select used from account_counts where kind = 'addresses' and account_id = ?", accountId);
    assert.equal(Number(rows[0]?.used), 1);
  });

  it('accepts the shortest and the longest name', async () => {
    const { api } = await suite.t.createAccount();
    for (const name of ['7', 'l'.repeat(64)])
      assert.equal((await api.post('/v1/email/claim', { address: name })).body.address, `${name}@agents.localhost`);
  });

  it('refuses invalid names and other domains with 400 invalid_address', async () => {
    const { api } = await suite.t.createAccount();
    const wrong = [
      'two..dots',
      '.leading',
      'trailing.',
      '-dash',
      'dash-',
      '_under',
      'x'.repeat(65),
      '',
      ' ',
      'sp ace',
      'plus+tag',
      'ümlaut',
      'a@b',
      'ada@example.com',
      'ada@sub.agents.localhost',
      'ada@agents.localhost.example.com',
      'ada@example.com@agents.localhost',
      '@agents.localhost',
      'new\nline',
    ];
    for (const address of wrong) {
      const { status, body } = await api.post('/v1/email/claim', { address });
      assert.deepEqual([address, status, body.error], [address, 400, 'invalid_address']);
    }
    assert.equal((await api.get('/v1/email/addresses')).body.count, 0);
  });

  it('refuses a missing address and one that is not a string with 400 invalid_request', async () => {
    const { api } = await suite.t.createAccount();
    for (const body of [{}, { address: 7 }, { address: null }, { address: ['ada'] }, { address: 'ada', extra: 1 }]) {
      const { status, body: refusal } = await api.post('/v1/email/claim', body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(refusal.error, 'invalid_request');
    }
  });

  it('refuses names that represent the service, in any case, with 403 address_reserved', async () => {
    const { api } = await suite.t.createAccount();
    const names = ['postmaster', 'Abuse', 'NOREPLY', 'no-reply', 'mailer-daemon', 'root', 'security'];
    for (const name of [...names, 'administrator', 'ssladmin', 'no_reply', 'do.not.reply', 'billing', 'dmarc']) {
      const { status, body } = await api.post('/v1/email/claim', { address: name });
      assert.deepEqual([name, status, body.error], [name, 403, 'address_reserved']);
    }
  });

  it('refuses another account’s address, in any case, with 409 address_unavailable and changes nothing', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const stranger = await t.createAccount();
    await owner.api.post('/v1/email/claim', { address: 'mine' });
    const key = publicKey().toString('base64url');
    const refused = await stranger.api.post('/v1/email/claim', { address: 'MINE', public_key: key });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.error, 'address_unavailable');
    const again = await owner.api.post('/v1/email/claim', { address: 'mine' });
    assert.equal(again.body.e2e_enabled, false);
    assert.equal((await stranger.api.get('/v1/email/addresses')).body.count, 0);
  });

  it('refuses the 11th address of a free account and the 26th of a paid one with 403 address_limit, but accepts owned ones', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const claim = (n: number) => api.post('/v1/email/claim', { address: `limit-${n}` });
    for (let n = 0; n < 10; n++) assert.equal((await claim(n)).status, 201);
    const eleventh = await claim(10);
    assert.equal(eleventh.status, 403);
    assert.equal(eleventh.body.error, 'address_limit');
    assert.equal(eleventh.body.limit, 10);
    assert.equal((await claim(3)).body.already_owned, true);
    await setTier(t, accountId, 'paid');
    for (let n = 10; n < 25; n++) assert.equal((await claim(n)).status, 201, String(n));
    assert.equal((await claim(25)).body.error, 'address_limit');
    assert.equal((await api.get('/v1/email/addresses')).body.count, 25);
  });

  it('accepts public_key as base64url, base64 and hex, and sets it in a later claim', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const key = publicKey();
    const forms = { b64u: key.toString('base64url'), b64: key.toString('base64'), hex: key.toString('hex') };
    for (const [name, form] of Object.entries(forms)) {
      const { status, body } = await api.post('/v1/email/claim', { address: `key-${name}`, public_key: form });
      assert.equal(status, 201, name);
      assert.equal(body.e2e_enabled, true);
      const rows = await t.sql('select public_key from addresses where address = ?', body.address);
      assert.equal(rows[0]?.public_key, key.toString('base64url'));
    }
    assert.equal((await api.post('/v1/email/claim', { address: 'later' })).body.e2e_enabled, false);
    const later = await api.post('/v1/email/claim', { address: 'later', public_key: forms.hex });
    assert.deepEqual([later.body.already_owned, later.body.e2e_enabled], [true, true]);
    // A claim without a key keeps the key, so that mail never becomes readable unnoticed.
    assert.equal((await api.post('/v1/email/claim', { address: 'later' })).body.e2e_enabled, true);
  });

  it('refuses a key of a wrong size or alphabet and a low-order point with 400 invalid_request, and claims nothing', async () => {
    const { api } = await suite.t.createAccount();
    const lowOrder = '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157';
    const wrong = [
      '',
      'short',
      publicKey().subarray(1).toString('base64url'),
      Buffer.concat([publicKey(), Buffer.of(1)]).toString('base64url'),
      `${publicKey().toString('hex').slice(2)}zz`,
      '!'.repeat(43),
      Buffer.alloc(32).toString('base64url'),
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      lowOrder,
    ];
    for (const key of wrong) {
      const { status, body } = await api.post('/v1/email/claim', { address: 'keyless', public_key: key });
      assert.deepEqual([key, status, body.error], [key, 400, 'invalid_request']);
    }
    assert.equal((await api.get('/v1/email/addresses')).body.count, 0);
  });

  it('answers 401 unauthorized without a key, also for the list', async () => {
    const api = suite.t.api();
    assert.equal((await api.post('/v1/email/claim', { address: 'stranger' })).status, 401);
    assert.equal((await api.get('/v1/email/addresses')).status, 401);
  });
});
