import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAgent } from '../../../test/support/agents.ts';
import { onBothDatabases, type TestApp } from '../../../test/support/harness.ts';
import { Dialogue } from '../../../test/support/smtp-dialogue.ts';

const MB = 1_000_000;
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file of `size` bytes, as the lines of a mail. */
const FILE = Buffer.alloc(14 * MB, 'a file of many bytes, none of which may get lost; ');
const LINES = Buffer.from((FILE.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'));
const HEAD = [
  'From: Ada <ada@out.example>',
  'Subject: many bytes',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'See the file.',
  '--b',
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename=many.bin',
  'Content-Transfer-Encoding: base64',
  '',
  '',
].join('\r\n');
const MAIL = Buffer.concat([Buffer.from(HEAD), LINES, Buffer.from('\r\n--b--\r\n')]);

/** The same file in a request, to an address outside and to the sender. */
const CONTENT = FILE.toString('base64');
const LETTER = (address: string) => ({
  ...{ from: address, to: [address, 'bob@out.example'], subject: 'many bytes', text: 'See the file.' },
  attachments: [{ filename: 'many.bin', content: CONTENT }],
});

/** The base64 of the file in a mail that was handed over. */
const attached = (mail: string): string => mail.split('\r\n\r\n').at(-1)?.split('\r\n--')[0] ?? '';

/** Sends the mail in pieces, as a network does. @returns the code of the answer */
async function deliver(t: TestApp, to: string, mail: Buffer): Promise<number> {
  const client = await Dialogue.open(t.app.smtpPort as number);
  try {
    for (const line of ['EHLO out.example', 'MAIL FROM:<ada@out.example>', `RCPT TO:<${to}>`, 'DATA'])
      await client.say(line);
    for (let start = 0; start < mail.length; start += 65_536)
      await new Promise((resolve) => client.socket.write(mail.subarray(start, start + 65_536), resolve));
    return await client.say('.');
  } finally {
    client.close();
  }
}

/** Runs the work, and says how long it held the thread. */
async function held<T>(t: TestApp, name: string, work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const result = await work();
  delay.disable();
  const ms = (ns: number): string => (ns / 1e6).toFixed(1);
  console.log(`${t.engine} ${name}: longest ${ms(delay.max)} ms, p99 ${ms(delay.percentile(99))} ms`);
  return result;
}

/** How many blobs and pieces are left once none is being removed. */
async function left(t: TestApp): Promise<number> {
  while ((await t.sql('select id from mail_blobs where purge_at = 0')).length > 0) await nextTurn();
  return (await t.sql('select id from mail_blobs union all select blob_id from mail_blob_pieces')).length;
}

onBothDatabases('a mail of 20 MB', {}, (suite) => {
  it('is taken, read and deleted in pieces; every byte is there', async () => {
    const { t } = suite;
    const { api, address, key } = await createAgent(t);
    assert.equal(await held(t, 'taken over SMTP', () => deliver(t, address, MAIL)), 250);
    const list = await held(t, 'parsed', () => api.get(`/v1/email/inbox?address=${address}`));
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
    assert.equal(await left(t), 0);
  });
});
