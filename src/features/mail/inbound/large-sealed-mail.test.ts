import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { CONTENT, deliver, digest, FILE, held, left, MAIL } from '../../../../test/support/large-mail.ts';
import { generateMailKeys, type MailKeys, messageOpener } from '../../../client/sealed-mail.ts';

/** A piece has so many bytes of the mail; the first and the last have the IV and the tag too. */
const PIECE_BYTES = 262_144 + 12 + 16;
const WORDS = 'a file of many bytes';

type Owner = TestAgent & { keys: MailKeys | readonly MailKeys[] };

async function owner(t: TestApp): Promise<Owner> {
  const keys = await generateMailKeys();
  return { ...(await createAgent(t, { public_key: keys.publicKey })), keys };
}

/** The newest mail of an address, as its owner opens it: the raw message and the file. */
async function opened(t: TestApp, { api, key, address, keys }: Owner) {
  const [entry] = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
  const at = `/v1/email/messages/${entry.message_id}`;
  const { body: message } = await api.get(`${at}?address=${address}`);
  const opener = await messageOpener(message, keys);
  const part = async (path: string): Promise<Buffer> => {
    const reply = await fetch(`${t.baseUrl}${at}${path}?address=${address}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    assert.equal(Number(reply.headers.get('content-length')), bytes.length);
    return Buffer.from(await opener.open(bytes));
  };
  return { at, text: await opener.openText(message.body), raw: await part('/raw'), file: await part('/attachments/0') };
}

/** Asserts that the large parts are in pieces, and that no piece, and no row of a mail, has readable words. */
async function assertInPieces(t: TestApp, blobs: number): Promise<void> {
  const pieces = await t.sql('select bytes from mail_blob_pieces');
  const rows = await t.sql('select raw as bytes from mail_contents union all select content from attachments');
  assert.ok(pieces.every(({ bytes }) => (bytes as Uint8Array).length <= PIECE_BYTES));
  assert.equal((await t.sql('select id from mail_blobs where purge_at is null')).length, blobs);
  assert.ok(rows.every(({ bytes }) => (bytes as Uint8Array).length === 0));
  const base64 = Buffer.from(WORDS).toString('base64').slice(0, 24);
  for (const { bytes } of pieces)
    for (const words of [WORDS, base64]) assert.ok(!Buffer.from(bytes as Uint8Array).includes(words));
}

const LETTER = (from: string, to: string[]) => ({
  from,
  to,
  subject: 'many bytes',
  text: 'See the file.',
  attachments: [{ filename: 'many.bin', content: CONTENT }],
});

onEngines('any', 'a mail of 20 MB to an address with a public key', {}, (suite) => {
  it('sent inside: each sealed copy opens with its own key, and nothing readable is written', async () => {
    const { t } = suite;
    const [ada, eve] = [await owner(t), await owner(t)];
    const letter = LETTER(ada.address, [ada.address, eve.address]);
    const sent = await held(t, 'sealed twice, sent', () => ada.api.post('/v1/email/send', letter));
    assert.equal(sent.status, 201, sent.text);
    await assertInPieces(t, 4);
    for (const one of [ada, eve]) {
      const mail = await opened(t, one);
      assert.equal(digest(mail.file), digest(FILE));
      assert.ok(mail.raw.includes(CONTENT.slice(0, 76)));
      assert.equal((await one.api.delete(`${mail.at}?address=${one.address}&permanent=true`)).status, 200);
    }
    assert.equal(await left(t), 0);
  });

  it('sent to many: no more is written ahead than one refusal may cost, and every copy opens', async (context) => {
    const { t } = suite;
    const owners = [await owner(t), await owner(t), await owner(t)];
    const [ada] = owners as [Owner];
    const { database } = t.app;
    const run = database.transaction.bind(database);
    let most = 0;
    const counted = context.mock.method(database, 'transaction', async (...args: Parameters<typeof run>) => {
      const result = await run(...args);
      most = Math.max(most, (await t.sql('select id from mail_blobs where purge_at > 0')).length);
      return result;
    });
    const to = owners.map(({ address }) => address);
    const sent = await ada.api.post('/v1/email/send', LETTER(ada.address, to));
    counted.mock.restore();
    assert.equal(sent.status, 201);
    assert.ok(most > 0 && most <= 4, `${most} blobs of two copies`);
    for (const one of owners) {
      const mail = await opened(t, one);
      assert.equal(digest(mail.file), digest(FILE));
      assert.equal((await one.api.delete(`${mail.at}?address=${one.address}&permanent=true`)).status, 200);
    }
    assert.equal(await left(t), 0);
  });
});

onEngines('both', 'a mail of 20 MB to an address with a public key: what the database decides', {}, (suite) => {
  it('by SMTP: it is sealed and stored in pieces; the key opens every byte', async () => {
    const { t } = suite;
    const ada = await owner(t);
    assert.equal(await held(t, 'sealed, taken over SMTP', () => deliver(t, ada.address, MAIL)), 250);
    await assertInPieces(t, 2);
    const mail = await opened(t, ada);
    assert.equal(mail.text.trim(), 'See the file.');
    assert.equal(digest(mail.raw.subarray(-MAIL.length)), digest(MAIL));
    assert.equal(digest(mail.file), digest(FILE));
    for (const folder of ['', '&folder=trash'])
      assert.equal((await ada.api.delete(`${mail.at}?address=${ada.address}${folder}`)).status, 200);
    assert.equal(await left(t), 0);
  });

  it('whose key is replaced while it is written: it opens with the key that it names, and nothing is left over', async () => {
    const { t } = suite;
    const ada = await owner(t);
    const second = await generateMailKeys();
    const taken = deliver(t, ada.address, MAIL);
    await eventually(async () => (await t.sql('select id from mail_blobs where purge_at > 0')).length > 0);
    const claim = { address: ada.address, public_key: second.publicKey };
    assert.equal((await ada.api.post('/v1/email/claim', claim)).body.e2e_enabled, true);
    // What is stored after the claim is sealed for the second key alone.
    const isFirst = (await t.sql('select id from messages where address = ?', ada.address)).length > 0;
    assert.equal(await taken, 250);
    const mail = await opened(t, { ...ada, keys: isFirst ? (ada.keys as MailKeys) : second });
    assert.equal(digest(mail.raw.subarray(-MAIL.length)), digest(MAIL));
    assert.equal(digest(mail.file), digest(FILE));
    assert.equal((await ada.api.delete(`${mail.at}?address=${ada.address}&permanent=true`)).status, 200);
    assert.equal(await left(t), 0);
  });
});
