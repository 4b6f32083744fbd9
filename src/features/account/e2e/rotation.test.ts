import assert from 'node:assert/strict';
import {
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import { it } from 'node:test';
import { createTestDns, publish } from '../../../../test/support/dns.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

const PATH = '/v1/e2e/rotate-key';
const SEED = 'correct horse battery staple';
const dns = createTestDns();

class Keys {
  readonly #keys = generateKeyPairSync('x25519');
  readonly publicKey = (this.#keys.publicKey.export({ format: 'jwk' }) as { x: string }).x;
  readonly hex = Buffer.from(this.publicKey, 'base64url').toString('hex');

  /** Decrypts the text of a message from `GET /v1/email/messages/{id}`. */
  open(message: { message_id: string; body: string; ephemeral_public_key: string }): string {
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: message.ephemeral_public_key },
      format: 'jwk',
    });
    const secret = diffieHellman({ privateKey: this.#keys.privateKey, publicKey });
    const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'signet:e2e-mail:v1', 32));
    const sealed = Buffer.from(message.body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(message.message_id)).setAuthTag(sealed.subarray(-16));
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
      .toString()
      .trim();
  }
}

let names = 0;
async function claim({ api }: TestAccount, fields: Record<string, string> = {}): Promise<string> {
  const { status, body } = await api.post('/v1/email/claim', { address: `rotating-${names++}`, ...fields });
  assert.equal(status, 201);
  return body.address;
}
const rotate = ({ api }: TestAccount, key: string, seed = SEED) =>
  api.post(PATH, { master_seed: seed, new_public_key: key });

/** Sends a mail by SMTP. @returns the message as the API shows it */
async function receive(t: TestApp, { api }: TestAccount, address: string, text: string) {
  t.clock.advance(1000);
  await t.sendSmtp({ to: address, subject: 'x', text });
  const [entry] = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
  return (await api.get(`/v1/email/messages/${entry.message_id}?address=${address}`)).body;
}

const OPTIONS = { resolveDns: dns.resolve };

onEngines('any', `POST ${PATH}`, OPTIONS, (suite) => {
  it('answers 200 with every field: the first call registers the seed, the next one rotates', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const [first, second] = [new Keys(), new Keys()];
    const { status, body } = await rotate(ada, Buffer.from(first.publicKey, 'base64url').toString('base64'));
    assert.equal(status, 200);
    assert.equal(typeof body.note, 'string');
    assert.deepEqual(body, {
      ok: true,
      account_id: ada.accountId,
      active_public_key: first.publicKey,
      key_history_count: 1,
      first_setup: true,
      updated_at: new Date(t.clock.now()).toISOString(),
      note: body.note,
    });
    t.clock.advance(5000);
    const next = (await rotate(ada, second.hex)).body;
    assert.deepEqual(
      [next.active_public_key, next.key_history_count, next.first_setup, next.updated_at],
      [second.publicKey, 2, false, new Date(t.clock.now()).toISOString()],
    );
    const again = (await rotate(ada, first.hex)).body;
    assert.deepEqual([again.active_public_key, again.key_history_count], [first.publicKey, 2]);
  });

  it('refuses another seed with 403 seed_mismatch and keeps the key', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const address = await claim(ada);
    const [mine, theirs] = [new Keys(), new Keys()];
    await rotate(ada, mine.hex);
    const refused = await rotate(ada, theirs.hex, `${SEED} `);
    assert.deepEqual([refused.status, refused.body.error], [403, 'seed_mismatch']);
    assert.equal(mine.open(await receive(t, ada, address, 'still mine')), 'still mine');
  });

  it('stores the SHA-256 of the seed, and never the seed', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const seed = 'a-seed-to-look-for';
    await rotate(ada, new Keys().hex, seed);
    const [row] = await t.sql('select * from e2e_accounts where account_id = ?', ada.accountId);
    assert.equal(row?.seed_hash, createHash('sha256').update(seed).digest('hex'));
    for (const table of ['e2e_accounts', 'audit_entries', 'events', 'idempotency_keys'])
      assert.ok(!JSON.stringify(await t.sql(`select * from ${table}`)).includes(seed), table);
  });

  it('encrypts mail to every address from then on, also to one claimed later, and old keys decrypt earlier mail', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const [own, first, second] = [new Keys(), new Keys(), new Keys()];
    const plain = await claim(ada);
    const sealed = await claim(ada, { public_key: own.publicKey });
    const before = await receive(t, ada, plain, 'readable');
    const early = await receive(t, ada, sealed, 'to its own key');
    await rotate(ada, first.hex);
    const middle = await receive(t, ada, plain, 'to the first');
    assert.equal(first.open(await receive(t, ada, sealed, 'as well')), 'as well');
    const { key_history_count } = (await rotate(ada, second.hex)).body;
    assert.equal(key_history_count, 3, 'the replaced key of the one address is remembered');
    for (const address of [plain, sealed])
      assert.equal(second.open(await receive(t, ada, address, 'to the second')), 'to the second');
    const { body } = await ada.api.post('/v1/email/claim', { address: `rotating-${names++}` });
    assert.equal(body.e2e_enabled, true);
    assert.equal(second.open(await receive(t, ada, body.address, 'claimed later')), 'claimed later');
    const auto = `rotating-${names++}@agents.localhost`;
    assert.equal((await ada.api.get(`/v1/email/inbox?address=${auto}`)).status, 200);
    assert.equal(second.open(await receive(t, ada, auto, 'claimed by reading')), 'claimed by reading');
    assert.equal(before.body.trim(), 'readable');
    assert.equal(own.open(early), 'to its own key');
    assert.equal(first.open(middle), 'to the first');
    assert.equal(middle.encryption.key_id, keyId(first));
  });

  it('does not replace the key of a claim that has one, and a second claim keeps it', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const [account, own] = [new Keys(), new Keys()];
    await rotate(ada, account.hex);
    const address = await claim(ada, { public_key: own.publicKey });
    await claim(ada, { address });
    assert.equal(own.open(await receive(t, ada, address, 'mine')), 'mine');
  });

  it('does not change the addresses of another account', async () => {
    const { t } = suite;
    const [ada, bob] = [await t.createAccount(), await t.createAccount()];
    const address = await claim(bob);
    await rotate(ada, new Keys().hex);
    assert.equal((await receive(t, bob, address, 'plain as before')).body.trim(), 'plain as before');
  });

  it('rotates an address at a domain that the account no longer holds, and its mail once it holds the domain again', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const domain = `rotating-${t.engine}.example`;
    const verify = async (): Promise<string> => {
      const stack = (await ada.api.post('/v1/stack', { domain })).body;
      publish(dns, stack);
      assert.equal((await ada.api.post(`/v1/stack/${stack.id}/verify`)).body.status, 'active');
      return stack.id;
    };
    const stackId = await verify();
    const [first, second] = [new Keys(), new Keys()];
    const address = await claim(ada, { address: `hello@${domain}`, public_key: first.publicKey });
    const here = await claim(ada);
    assert.equal((await ada.api.delete(`/v1/stack/${stackId}`)).status, 200);
    const { status, body } = await rotate(ada, second.hex);
    assert.deepEqual([status, body.key_history_count], [200, 2]);
    await verify();
    for (const to of [address, here]) assert.equal(second.open(await receive(t, ada, to, `to ${to}`)), `to ${to}`);
  });

  for (const [what, body, path] of [
    ['no seed', { new_public_key: '00'.repeat(32) }, '/body/master_seed'],
    ['an empty seed', { master_seed: '', new_public_key: '00'.repeat(32) }, '/body/master_seed'],
    ['no key', { master_seed: SEED }, '/body/new_public_key'],
    ['31 bytes', { master_seed: SEED, new_public_key: 'ab'.repeat(31) }, '/body/new_public_key'],
    ['33 bytes', { master_seed: SEED, new_public_key: 'ab'.repeat(33) }, '/body/new_public_key'],
    ['no encoding of bytes', { master_seed: SEED, new_public_key: `${'A'.repeat(42)}!` }, '/body/new_public_key'],
    ['a point of low order', { master_seed: SEED, new_public_key: '00'.repeat(32) }, '/body/new_public_key'],
  ] as const) {
    it(`refuses ${what} with 400 invalid_request and registers nothing`, async () => {
      const ada = await suite.t.createAccount();
      const refused = await ada.api.post(PATH, body);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
      assert.equal(refused.body.details[0].path, path);
      assert.equal((await rotate(ada, new Keys().hex, 'another seed')).body.first_setup, true);
    });
  }

  it('answers 401 without a key, and verbose=false removes only the note', async () => {
    const { t } = suite;
    const body = { master_seed: SEED, new_public_key: new Keys().hex };
    assert.equal((await t.api().post(PATH, body)).status, 401);
    const quiet = await (await t.createAccount()).api.post(`${PATH}?verbose=false`, body);
    assert.deepEqual(Object.keys(quiet.body).sort(), [
      'account_id',
      'active_public_key',
      'first_setup',
      'key_history_count',
      'ok',
      'updated_at',
    ]);
  });
});

onEngines('both', `POST ${PATH}: what the database decides`, OPTIONS, (suite) => {
  it('registers one of 10 parallel first calls with different seeds and refuses the others', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => rotate(ada, new Keys().hex, `seed ${i}`)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 403)]);
  });

  it('gives the key to every address that is claimed during a rotation', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const key = new Keys();
    await Promise.all([claim(ada), claim(ada), rotate(ada, key.hex), claim(ada), claim(ada)]);
    const rows = await t.sql('select public_key from addresses where account_id = ?', ada.accountId);
    assert.deepEqual(
      rows.map(({ public_key }) => public_key),
      Array.from({ length: 4 }, () => key.publicKey),
    );
  });
});

const keyId = (keys: Keys): string =>
  createHash('sha256').update(Buffer.from(keys.publicKey, 'base64url')).digest('hex').slice(0, 16);
