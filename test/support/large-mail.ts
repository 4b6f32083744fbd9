import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DAY_MS } from '../../src/base/period.ts';
import { eventually } from './eventually.ts';
import type { Api, TestApp } from './harness.ts';
import { Dialogue } from './smtp-dialogue.ts';

const MB = 1_000_000;
export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file of `size` bytes, as the lines of a mail. */
export const FILE = Buffer.alloc(14 * MB, 'a file of many bytes, none of which may get lost; ');
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
export const MAIL = Buffer.concat([Buffer.from(HEAD), LINES, Buffer.from('\r\n--b--\r\n')]);

/** Sends the mail in pieces, as a network does. @returns the code of the answer */
export async function deliver(t: TestApp, to: string, mail: Buffer): Promise<number> {
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
export async function held<T>(t: TestApp, name: string, work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const result = await work();
  delay.disable();
  const ms = (ns: number): string => (ns / 1e6).toFixed(1);
  console.log(`${t.engine} ${name}: longest ${ms(delay.max)} ms, p99 ${ms(delay.percentile(99))} ms`);
  return result;
}

/** The same file in a request. */
export const CONTENT = FILE.toString('base64');

/** How many blobs and pieces are left once none is being removed. */
export async function left(t: TestApp): Promise<number> {
  await eventually(
    async () => (await t.sql('select id from mail_blobs where purge_at = 0')).length === 0,
    'none removed',
  );
  return (await t.sql('select id from mail_blobs union all select blob_id from mail_blob_pieces')).length;
}

/** Releases an address, and lets its mail go: what was received, and what is kept of what was sent. */
export async function emptied(t: TestApp, api: Api, address: string): Promise<void> {
  assert.equal((await api.delete(`/v1/email/addresses/${address}`)).status, 200);
  t.clock.advance(31 * DAY_MS);
  for (let n = 0; n < 3; n++) await t.app.worker.runDue();
}
