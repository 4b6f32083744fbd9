import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { startTestApp } from '../../test/support/harness.ts';
import { generateMailKeys, type MailKeys, mailKeyId, messageOpener, openMessage } from './sealed-mail.ts';
import { SignetClient } from './signet-client.ts';
import { SignetCryptoError } from './signet-error.ts';

type Vector = Record<
  | 'name'
  | 'recipient_private_key'
  | 'recipient_public_key'
  | 'key_id'
  | 'ephemeral_public_key'
  | 'message_id'
  | 'plaintext'
  | 'sealed',
  string
>;

const FILE = new URL('../../docs/vectors/e2e-mail.json', import.meta.url);
const { vectors, alg } = JSON.parse(readFileSync(FILE, 'utf8')) as { alg: string; vectors: Vector[] };

const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;
const keysOf = (vector: Vector): MailKeys => ({
  privateKey: vector.recipient_private_key,
  publicKey: vector.recipient_public_key,
});
const messageOf = (vector: Vector) => ({
  message_id: vector.message_id,
  e2e_encrypted: true,
  body: vector.sealed,
  html: null as string | null,
  ephemeral_public_key: vector.ephemeral_public_key,
  encryption: { alg, key_id: vector.key_id },
});

describe('the client on docs/vectors/e2e-mail.json', () => {
  for (const vector of vectors) {
    it(`opens: ${vector.name}`, async () => {
      assert.equal(await mailKeyId(vector.recipient_public_key), vector.key_id);
      assert.equal((await openMessage(messageOf(vector), keysOf(vector))).body, vector.plaintext);
      const { message_id: id, ...rest } = messageOf(vector);
      assert.equal((await openMessage({ ...rest, id }, keysOf(vector))).body, vector.plaintext, 'of /v1/inbox');
    });
  }

  const [first, second] = vectors as [Vector, Vector];

  it('finds the key among former ones, and reports a missing one', async () => {
    const keys = [await generateMailKeys(), keysOf(second), keysOf(first)];
    assert.equal((await openMessage(messageOf(first), keys)).body, first.plaintext);
    await assert.rejects(openMessage(messageOf(first), keysOf(second)), code('unknown_key'));
    await assert.rejects(openMessage(messageOf(first), []), code('unknown_key'));
    const { encryption: _, ...unnamed } = messageOf(first);
    assert.equal((await openMessage(unnamed, keysOf(first))).body, first.plaintext);
    await assert.rejects(openMessage(unnamed, keysOf(second)), code('not_authentic'));
  });

  it('returns nothing if a mail was changed, swapped or cut', async () => {
    const message = messageOf(first);
    const refused: [object, string][] = [
      [{ message_id: second.message_id }, 'not_authentic'],
      [{ body: `B${message.body.slice(1)}` }, 'not_authentic'],
      [{ html: second.sealed }, 'not_authentic'],
      [{ ephemeral_public_key: second.ephemeral_public_key }, 'not_authentic'],
      [{ body: message.body.slice(0, 20) }, 'truncated'],
      [{ body: 'no blob' }, 'malformed'],
      [{ ephemeral_public_key: 'AAAA' }, 'malformed'],
      [{ ephemeral_public_key: 'A'.repeat(43) }, 'weak_public_key'],
      [{ ephemeral_public_key: undefined }, 'malformed'],
      [{ encryption: { ...message.encryption, alg: 'none' } }, 'malformed'],
    ];
    for (const [change, expected] of refused)
      await assert.rejects(openMessage({ ...message, ...change }, keysOf(first)), code(expected), expected);
  });
});

it('opens a sealed mail completely: body, HTML, attachment, raw; returns a plain mail unchanged', async () => {
  const t = await startTestApp('sqlite');
  try {
    const { client, account } = await SignetClient.register({ baseUrl: t.baseUrl }, { name: 'sealed' });
    const address = account.email;
    await client.sendEmail({ from: address, to: address, subject: 'open', text: 'not sealed' });
    t.clock.advance(1000);
    const [old, keys] = [await generateMailKeys(), await generateMailKeys()];
    await client.claimAddress({ address, public_key: old.publicKey });
    await client.claimAddress({ address, public_key: keys.publicKey });
    const attachments = [{ filename: 'a', content: Buffer.from('in the file').toString('base64') }];
    const mail = { from: address, to: address, subject: 'sealed', text: 'Grüße', html: '<p>Grüße</p>', attachments };
    await client.sendEmail(mail);
    const [entry, before] = (await client.listInbox({ address })).messages;
    const at = { id: entry?.message_id ?? '', address };
    const sealed = await client.getMessage(at);
    assert.ok(sealed.e2e_encrypted && !sealed.body.includes('Grüße'));
    const opened = await openMessage(sealed, [old, keys]);
    assert.deepEqual([opened.body, opened.html, opened.subject], ['Grüße', '<p>Grüße</p>', 'sealed']);
    const { open } = await messageOpener(sealed, keys);
    const text = async (bytes: Uint8Array): Promise<string> => new TextDecoder().decode(await open(bytes));
    assert.equal(await text(await client.getAttachment({ ...at, n: 0 })), 'in the file');
    assert.match(await text(await client.getRawMessage(at)), /^Subject: sealed\r$/m);
    const alias = await client.getInboxMessage({ address, id: at.id });
    assert.equal((await openMessage(alias, keys)).body, 'Grüße');
    const plain = await client.getMessage({ id: before?.message_id ?? '', address });
    assert.equal(await openMessage(plain, keys), plain);
  } finally {
    await t.stop();
  }
});

it('key pairs are 32 bytes each, new each time, and accepted by the service', async () => {
  const [a, b] = [await generateMailKeys(), await generateMailKeys()];
  for (const text of [a.publicKey, a.privateKey]) assert.equal(Buffer.from(text, 'base64url').length, 32);
  assert.notDeepEqual(a, b);
});
