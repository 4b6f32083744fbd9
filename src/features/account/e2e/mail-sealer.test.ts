import assert from 'node:assert/strict';
import {
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

/**
 * Decrypts mail by the published format alone: ephemeral X25519, HKDF-SHA-256 with a salt of 32 zero bytes
 * and the info `signet:e2e-mail:v1`, AES-256-GCM over IV(12) ‖ ciphertext ‖ tag(16) with the message id as AAD.
 */
class AgentKeys {
  readonly #keys = generateKeyPairSync('x25519');
  readonly publicKey = (this.#keys.publicKey.export({ format: 'jwk' }) as { x: string }).x;
  readonly keyId = createHash('sha256').update(Buffer.from(this.publicKey, 'base64url')).digest('hex').slice(0, 16);

  open(sealed: Buffer, ephemeralPublicKey: string, messageId: string): Buffer {
    const jwk = { kty: 'OKP', crv: 'X25519', x: ephemeralPublicKey };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const secret = diffieHellman({ privateKey: this.#keys.privateKey, publicKey });
    const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'signet:e2e-mail:v1', 32));
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(messageId));
    decipher.setAuthTag(sealed.subarray(-16));
    const opened = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    assert.deepEqual(this.#openBySecondLibrary(sealed, ephemeralPublicKey, messageId), opened);
    return opened;
  }

  /** Decrypts with a library that does not use node:crypto. */
  #openBySecondLibrary(sealed: Buffer, ephemeralPublicKey: string, messageId: string): Buffer {
    const { d = '' } = this.#keys.privateKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const secret = x25519.getSharedSecret(bytes(d), bytes(ephemeralPublicKey));
    const key = hkdf(sha256, secret, new Uint8Array(32), Buffer.from('signet:e2e-mail:v1'), 32);
    const cipher = gcm(key, new Uint8Array(sealed.subarray(0, 12)), new TextEncoder().encode(messageId));
    return Buffer.from(cipher.decrypt(new Uint8Array(sealed.subarray(12))));
  }
}

type Agent = TestAccount & { address: string; keys: AgentKeys };
let names = 0;

async function agent(t: TestApp, sealed = true): Promise<Agent> {
  const account = await t.createAccount();
  const keys = new AgentKeys();
  const claim = { address: `sealed-${names++}`, ...(sealed ? { public_key: keys.publicKey } : {}) };
  const { body } = await account.api.post('/v1/email/claim', claim);
  assert.equal(body.e2e_enabled, sealed);
  return { ...account, address: body.address, keys };
}

/** The newest message: its list entry, the whole message, and its parts as bytes. */
async function newest(t: TestApp, { api, key, address }: Agent) {
  const [entry] = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
  const path = `/v1/email/messages/${entry.message_id}`;
  const { body: message } = await api.get(`${path}?address=${address}`);
  const bytes = async (url: string): Promise<Buffer> => {
    const response = await fetch(t.baseUrl + url, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  };
  return { entry, message, raw: await bytes(`${path}/raw?address=${address}`), bytes };
}

const tables = async (t: TestApp): Promise<string[]> => {
  const names =
    t.engine === 'sqlite'
      ? await t.sql(`select name from sqlite_master where type = 'table'`)
      : await t.sql(`select table_name as name from information_schema.tables where table_schema = 'public'`);
  return names.map(({ name }) => String(name));
};

/** All stored bytes: each row of each table, and on SQLite the files too. */
async function everythingStored(t: TestApp): Promise<Buffer> {
  const found: Buffer[] = [];
  for (const table of await tables(t)) {
    for (const row of await t.sql(`select * from ${table}`))
      for (const value of Object.values(row))
        found.push(value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)));
  }
  const files = t.engine === 'sqlite' ? readdirSync(t.config.dataDir, { recursive: true, withFileTypes: true }) : [];
  for (const file of files) if (file.isFile()) found.push(readFileSync(join(file.parentPath, file.name)));
  return Buffer.concat(found);
}

/** Asserts that none of the words is stored, in plain text or in an encoding that mail uses. */
async function assertNotStored(t: TestApp, words: readonly string[]): Promise<void> {
  const stored = await everythingStored(t);
  assert.ok(stored.includes('@agents.localhost'), 'this looked at nothing');
  for (const word of words) {
    const spellings = [word, Buffer.from(word).toString('hex'), Buffer.from(word, 'utf16le')];
    for (const spelling of spellings) assert.ok(!stored.includes(spelling), word);
    // The base64 of a word depends on its offset: tries all three, without the characters shared with its neighbours.
    for (const shift of [0, 1, 2]) {
      const encoded = Buffer.from('\0'.repeat(shift) + word).toString('base64');
      assert.ok(!stored.includes(encoded.slice(shift === 0 ? 0 : 4, -4)), word);
    }
  }
}

onEngines('any', 'mail to an address with a public key', {}, (suite) => {
  it('by SMTP: only the private key decrypts body, HTML, attachment and raw message', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const words = ['plaintext-of-smtp-body', 'plaintext-of-smtp-html', 'plaintext-of-smtp-file'];
    const [text, html, file] = words as [string, string, string];
    await t.sendSmtp({
      to: ada.address,
      subject: 'sealed',
      text: `${text} äöü`,
      html: `<p>${html}</p>`,
      attachments: [{ filename: 'f.txt', content: file }],
    });
    const { entry, message, raw, bytes } = await newest(t, ada);
    for (const { e2e_encrypted, snippet, subject } of [entry, message])
      assert.deepEqual([e2e_encrypted, snippet, subject], [true, '', 'sealed']);
    assert.deepEqual(message.encryption, { alg: 'X25519-HKDF-SHA256-A256GCM', key_id: ada.keys.keyId });
    assert.match(message.ephemeral_public_key, /^[A-Za-z0-9_-]{43}$/);
    assert.match(message.body, /^[A-Za-z0-9_-]+$/);
    assert.equal(message.reply_text, null);
    const open = (sealed: Buffer) => ada.keys.open(sealed, message.ephemeral_public_key, message.message_id);
    assert.equal(open(Buffer.from(message.body, 'base64url')).toString().trim(), `${text} äöü`);
    assert.equal(open(Buffer.from(message.html, 'base64url')).toString().trim(), `<p>${html}</p>`);
    const [attachment] = message.attachments;
    assert.equal(attachment.size, file.length);
    assert.equal(open(await bytes(attachment.url)).toString(), file);
    const original = open(raw).toString();
    assert.match(original, /^Received: /);
    assert.match(original, /^Subject: sealed\r$/m);
    assert.equal(message.size, Buffer.byteLength(original));
    await assertNotStored(t, words);
  });

  it('from another agent: is encrypted too, and stored nowhere else', async () => {
    const { t } = suite;
    const [ada, bob] = [await agent(t), await agent(t, false)];
    const words = ['plaintext-of-internal-body', 'plaintext-of-internal-html', 'plaintext-of-internal-file'];
    const [text, html, file] = words as [string, string, string];
    const attachments = [{ filename: 'f.txt', content: Buffer.from(file).toString('base64') }];
    const mail = { from: bob.address, to: ada.address, subject: 'inside', text, html, attachments };
    const sent = await bob.api.post('/v1/email/send', mail, { 'idempotency-key': 'sealed' });
    assert.deepEqual([sent.status, sent.body.status], [201, 'sent']);
    const { message, raw, bytes } = await newest(t, ada);
    const open = (sealed: Buffer) => ada.keys.open(sealed, message.ephemeral_public_key, message.message_id);
    assert.equal(open(Buffer.from(message.body, 'base64url')).toString(), text);
    assert.equal(open(Buffer.from(message.html, 'base64url')).toString(), html);
    assert.equal(open(await bytes(message.attachments[0].url)).toString(), file);
    assert.match(open(raw).toString(), /^Subject: inside\r$/m);
    const alias = (await ada.api.get(`/v1/inbox/${ada.address}/messages/${message.message_id}`)).body;
    assert.deepEqual([alias.e2e_encrypted, alias.body], [true, message.body]);
    assert.equal(alias.ephemeral_public_key, message.ephemeral_public_key);
    await assertNotStored(t, words);
  });

  it('has no content in its event or in the log', async () => {
    const { t } = suite;
    const ada = await agent(t);
    await t.sendSmtp({ to: ada.address, subject: 'evented', text: 'plaintext-of-evented-body' });
    await newest(t, ada);
    const { events } = (await ada.api.get('/v1/events')).body;
    assert.deepEqual([events.length, events[0].data.snippet], [1, '']);
    assert.ok(!JSON.stringify(t.faults).includes('plaintext-of-evented-body'));
  });

  it('decrypts only with its own message id, and not after a bit has changed', async () => {
    const { t } = suite;
    const ada = await agent(t);
    await t.sendSmtp({ to: ada.address, subject: 'bound', text: 'x' });
    const { message } = await newest(t, ada);
    const body = Buffer.from(message.body, 'base64url');
    assert.equal(ada.keys.open(body, message.ephemeral_public_key, message.message_id).toString().trim(), 'x');
    assert.throws(() => ada.keys.open(body, message.ephemeral_public_key, 'msg_00000000000000000000000000'));
    assert.throws(() => new AgentKeys().open(body, message.ephemeral_public_key, message.message_id));
    body[13] = (body[13] ?? 0) ^ 1;
    assert.throws(() => ada.keys.open(body, message.ephemeral_public_key, message.message_id));
  });

  it('has its own ephemeral key in every copy, while a recipient without a key reads plain text', async () => {
    const { t } = suite;
    const [ada, bob, carol] = [await agent(t), await agent(t), await agent(t, false)];
    await t.sendSmtp({ to: [ada.address, bob.address, carol.address], subject: 'three', text: 'the same words' });
    t.clock.advance(1000);
    const [hers, his, plain] = [await newest(t, ada), await newest(t, bob), await newest(t, carol)];
    await t.sendSmtp({ to: ada.address, subject: 'again', text: 'the same words' });
    const again = await newest(t, ada);
    const keys = [hers, his, again].map(({ message }) => message.ephemeral_public_key);
    assert.equal(new Set(keys).size, 3);
    const open = (of: Agent, { message }: typeof hers) =>
      of.keys.open(Buffer.from(message.body, 'base64url'), message.ephemeral_public_key, message.message_id);
    assert.equal(open(ada, hers).toString().trim(), 'the same words');
    assert.equal(open(bob, his).toString().trim(), 'the same words');
    assert.equal(plain.message.body.trim(), 'the same words');
    assert.equal('e2e_encrypted' in plain.entry, false);
    assert.equal('encryption' in plain.message, false);
  });

  it('stays readable if it came before the key, and a new key encrypts later mail', async () => {
    const { t } = suite;
    const ada = await agent(t, false);
    await t.sendSmtp({ to: ada.address, subject: 'before', text: 'before the key' });
    const before = (await newest(t, ada)).message;
    assert.equal(before.body.trim(), 'before the key');
    const claim = (keys: AgentKeys) =>
      ada.api.post('/v1/email/claim', { address: ada.address, public_key: keys.publicKey });
    const [first, second] = [ada.keys, new AgentKeys()];
    for (const keys of [first, second]) {
      assert.equal((await claim(keys)).body.e2e_enabled, true);
      t.clock.advance(1000);
      await t.sendSmtp({ to: ada.address, subject: 'after', text: `for ${keys.keyId}` });
      const { message } = await newest(t, ada);
      assert.equal(message.encryption.key_id, keys.keyId);
      const body = Buffer.from(message.body, 'base64url');
      const opened = keys.open(body, message.ephemeral_public_key, message.message_id);
      assert.equal(opened.toString().trim(), `for ${keys.keyId}`);
    }
    const path = `/v1/email/messages/${before.message_id}?address=${ada.address}`;
    assert.equal((await ada.api.get(path)).body.body.trim(), 'before the key');
  });
});

onEngines('both', 'mail to an address with a public key: what the database decides', {}, (suite) => {
  it('of 2 MB from another agent: no piece of it is ever stored readable', async () => {
    const { t } = suite;
    const [ada, bob] = [await agent(t), await agent(t, false)];
    const word = 'plaintext-of-large-file';
    const file = Buffer.alloc(2_000_000, `${word}; `);
    const attachments = [{ filename: 'f.txt', content: file.toString('base64') }];
    const mail = { from: bob.address, to: [ada.address], subject: 'large', text: 'See the file.', attachments };
    const sent = await bob.api.post('/v1/email/send', mail);
    assert.deepEqual([sent.status, sent.body.status], [201, 'sent']);
    assert.equal((await t.sql('select id from mail_blobs where purge_at is null')).length, 2);
    await assertNotStored(t, [word]);
    const { message, bytes } = await newest(t, ada);
    const opened = ada.keys.open(
      await bytes(message.attachments[0].url),
      message.ephemeral_public_key,
      message.message_id,
    );
    assert.ok(opened.equals(file));
  });
});
