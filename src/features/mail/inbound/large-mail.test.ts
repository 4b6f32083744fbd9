import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { CONTENT, deliver, digest, emptied, FILE, held, left, MAIL } from '../../../../test/support/large-mail.ts';

/** To an address outside and to the sender. */
const LETTER = (address: string) => ({
  from: address,
  to: [address, 'bob@out.example'],
  subject: 'many bytes',
  text: 'See the file.',
  attachments: [{ filename: 'many.bin', content: CONTENT }],
});

/** The base64 of the file in a mail that was handed over. */
const attached = (mail: string): string => mail.split('\r\n\r\n').at(-1)?.split('\r\n--')[0] ?? '';

onEngines('any', 'a mail of 20 MB', {}, (suite) => {
  it('is taken, read and deleted in pieces; every byte is there', async () => {
    const { t } = suite;
    const { api, address, key } = await createAgent(t);
    assert.equal(await held(t, 'taken over SMTP', () => deliver(t, address, MAIL)), 250);
    await held(t, 'parsed', () => t.app.provided.intake.idle());
    const list = await api.get(`/v1/email/inbox?address=${address}`);
    const id = list.body.messages[0].message_id;
    const at = `/v1/email/messages/${id}`;
    const get = (path: string) =>
      fetch(`${t.baseUrl}${path}?address=${address}`, { headers: { authorization: `Bearer ${key}` } });
    const raw = await held(t, 'raw read', async () => {
      const reply = await get(`${at}/raw`);
      const parts: Uint8Array[] = [];
      for await (const part of reply.body as ReadableStream<Uint8Array>) parts.push(part);
      return { length: Number(reply.headers.get('content-length')), bytes: Buffer.concat(parts) };
    });
    assert.equal(raw.length, raw.bytes.length);
    assert.equal(digest(raw.bytes.subarray(-MAIL.length)), digest(MAIL));
    const file = Buffer.from(await (await get(`${at}/attachments/0`)).arrayBuffer());
    assert.equal(digest(file), digest(FILE));
    const sent = await held(t, 'sent', () => api.post('/v1/email/send', LETTER(address)));
    assert.equal(sent.status, 201, sent.text);
    const mails = await held(t, 'handed over', () => t.outboxMails());
    assert.equal(digest(Buffer.from(attached(mails[0] as string), 'base64')), digest(FILE));
    const { messages } = (await api.get(`/v1/email/inbox?address=${address}`)).body;
    const inside = messages.find(({ message_id: other }: { message_id: string }) => other !== id).message_id;
    const copy = await get(`/v1/email/messages/${inside}/attachments/0`);
    assert.equal(digest(Buffer.from(await copy.arrayBuffer())), digest(FILE));
    assert.equal((await api.delete(`/v1/email/messages/${inside}?address=${address}&permanent=true`)).status, 200);
    for (const folder of ['', '&folder=trash'])
      assert.equal((await api.delete(`${at}?address=${address}${folder}`)).status, 200);
    await emptied(t, api, address);
    assert.equal(await left(t), 0);
  });
});

onEngines('any', 'a mail of 20 MB over the quota', { limits: { free: { emails_per_day: 1 } } }, (suite) => {
  it('is refused, and nothing of it is written', async () => {
    const { t } = suite;
    const { api, address } = await createAgent(t);
    assert.equal((await api.post('/v1/email/send', { ...LETTER(address), attachments: [] })).status, 201);
    assert.equal((await api.post('/v1/email/send', LETTER(address))).status, 402);
    assert.deepEqual(await t.sql('select id from mail_blobs'), []);
  });
});
