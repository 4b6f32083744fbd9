import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { after, describe, it, type TestContext } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.ts';
import { HEAD, HOSTILE_MIME, WORST_HEADS } from '../../../test/support/worst-mail.ts';
import { PoolClosedError } from '../../workers/worker-pool.ts';
import { fallbackParse } from '../mime/mime-fallback.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { MimeParser } from './mime-parser.ts';

/** As long as a busy machine needs: the deadline has tests below. */
const parser = new MimeParser({ deadlineMs: 600_000 });
after(() => parser.close());

const parse = (text: string): Promise<ParsedMail> => parser.parse(Buffer.from(text));

/** A piece, and what else its turn may copy. */
const TURN_BYTES_MAX = 1_048_576;
/** What this thread reads in one turn when a mail is parsed; the contents of attachments are not copied. */
const ANSWER_CHARACTERS_MAX = 4_000_000;

/** @returns what says how many bytes this thread copied in one turn at most, since now */
function watchCopies(context: TestContext): () => number {
  let [inTurn, most] = [0, 0];
  const arrays = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { set } = arrays;
  context.mock.method(arrays, 'set', function (this: Uint8Array, from: ArrayLike<number>, at?: number) {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += from.length;
    most = Math.max(most, inTurn);
    return set.call(this, from, at);
  });
  return () => most;
}

describe('MIME parser: hostile mail', () => {
  for (const { name, raw, problem } of HOSTILE_MIME) {
    it(`${name}: parsed and flagged, and copied and answered a little at a time`, async (context) => {
      const bytes = Buffer.from(raw());
      await parse(HEAD);
      const mostCopied = watchCopies(context);
      const mail = await parser.parse(bytes);
      assert.ok(mostCopied() <= TURN_BYTES_MAX, `${mostCopied()} bytes were copied in one turn`);
      const { attachments, ...rest } = mail;
      const answered = JSON.stringify([rest, attachments.map(({ content: _, ...about }) => about)]).length;
      assert.ok(answered <= ANSWER_CHARACTERS_MAX, `${answered} characters beside the attachments`);
      assert.equal(mail.from?.address, 'eve@out.example');
      assert.equal(mail.subject, 'hi');
      if (problem === null) assert.equal(mail.problem, null);
      else assert.match(mail.problem ?? '', problem);
    });
  }

  it('keeps everything before a limit', async () => {
    const mail = await parse(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nthe words\r\n${'--b\r\nContent-Type: a/b\r\n\r\nx\r\n'.repeat(2000)}`,
    );
    assert.equal(mail.text.trim(), 'the words');
    assert.equal(mail.attachments.length, 200);
    const headers = await parse(`X-Big: ${'x'.repeat(300_000)}\r\n folded\r\n${HEAD}\r\nthe words`);
    assert.equal(headers.text.trim(), 'the words');
    assert.equal(headers.subject, 'hi');
  });
});

describe('MIME parser: workers', () => {
  const slow = Buffer.from(`${HEAD}\r\n${'a\n'.repeat(3_000_000)}`);

  it('stops at the deadline, reports it, keeps the headers, and parses the next message', async () => {
    const impatient = new MimeParser({ deadlineMs: 150 });
    const [late, next] = await Promise.all([impatient.parse(slow), impatient.parse(Buffer.from(`${HEAD}\r\nfine`))]);
    assert.deepEqual([late.parsed, late.problem, late.text], [false, 'deadline', '']);
    assert.deepEqual(late.from, { address: 'eve@out.example', name: 'Eve' });
    assert.deepEqual([late.subject, late.rfcMessageId], ['hi', '<m1@out.example>']);
    assert.equal(next.problem === 'deadline' || next.text.trim() === 'fine', true);
    await impatient.close();
  });

  it('does not count the time in which the process stood still', async () => {
    const parser = new MimeParser({ deadlineMs: 1000 });
    const fine = Buffer.from(`${HEAD}\r\nfine`);
    await parser.parse(fine);
    // After it, timers come before replies.
    await immediate();
    const parsing = parser.parse(fine);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
    assert.equal((await parsing).text.trim(), 'fine');
    await parser.close();
  });

  it('a message that exhausts the memory of a worker fails without affecting others', async () => {
    const small = new MimeParser({ heapMb: 40 });
    const results = await Promise.all(
      [Buffer.from(`${HEAD}\r\none`), slow, Buffer.from(`${HEAD}\r\ntwo`)].map((raw) => small.parse(raw)),
    );
    assert.deepEqual(
      results.map((mail) => [mail.parsed, mail.problem, mail.text.trim(), mail.subject]),
      [
        [true, null, 'one', 'hi'],
        [false, 'out_of_memory', '', 'hi'],
        [true, null, 'two', 'hi'],
      ],
    );
    await small.close();
  });

  it('parses concurrently and returns each caller its own message', async () => {
    const pool = new MimeParser({ workers: 3 });
    const mails = await Promise.all(
      Array.from({ length: 60 }, (_, i) => pool.parse(Buffer.from(`Subject: s${i}\r\n\r\nbody ${i}`))),
    );
    assert.deepEqual(
      mails.map((mail) => `${mail.subject} ${mail.text.trim()}`),
      Array.from({ length: 60 }, (_, i) => `s${i} body ${i}`),
    );
    await pool.close();
  });

  it('does not detach the caller’s bytes, not even a view into a larger buffer', async () => {
    const large = Buffer.from(`xxxx${HEAD}\r\nbodyyyyy`);
    const mail = await parser.parse(large.subarray(4, large.length - 4));
    assert.equal(mail.text.trim(), 'body');
    assert.equal(large.length, HEAD.length + 14);
  });

  it('close rejects unfinished and later calls', async () => {
    const closing = new MimeParser();
    const pending = [closing.parse(slow), closing.parse(slow)].map((promise) =>
      assert.rejects(promise, PoolClosedError),
    );
    await closing.close();
    await Promise.all(pending);
    await assert.rejects(closing.parse(slow), PoolClosedError);
  });

  it('an idle worker ends, and the next message has a new one', async () => {
    // Threads have the name of their pool. This file's other parsers keep theirs.
    const threads = (): string[] =>
      readdirSync('/proc/self/task').flatMap((id) => {
        try {
          return readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim() === 'mime' ? [id] : [];
        } catch {
          return [];
        }
      });
    const before = new Set(threads());
    const fleeting = new MimeParser({ workers: 1, idleMs: 1 });
    for (const text of ['one', 'two']) {
      assert.equal((await fleeting.parse(Buffer.from(`${HEAD}\r\n${text}`))).text.trim(), text);
      await eventually(() => threads().every((id) => before.has(id)), 'its thread has ended');
    }
    await fleeting.close();
  });

  it('an idle worker does not keep the process alive', () => {
    const script = `import { MimeParser } from ${JSON.stringify(new URL('./mime-parser.ts', import.meta.url).href)};
      console.log((await new MimeParser().parse(Buffer.from('Subject: x\\r\\n\\r\\nhi'))).text);`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(run.stdout.trim(), 'hi');
    assert.equal(run.status, 0, run.stderr);
  });
});

describe('fallbackParse', () => {
  it('reads the headers of the first 64 KiB, and only those', () => {
    const mail = fallbackParse(
      Buffer.from(
        `From: =?utf-8?q?J=C3=BCrgen?= <j@x.example>\r\nSubject: a\r\n b\r\nMessage-ID: <m@x>\r\n\r\nTo: body@x.example\r\n`,
      ),
    );
    assert.deepEqual([mail.parsed, mail.problem], [false, 'unparsed']);
    assert.deepEqual(mail.from, { address: 'j@x.example', name: 'Jürgen' });
    assert.deepEqual([mail.subject, mail.rfcMessageId, mail.to], ['a b', '<m@x>', []]);
    assert.equal(fallbackParse(Buffer.from(`X: ${'y'.repeat(70_000)}\r\n${HEAD}`)).from, null);
  });

  it('reads the worst 64 KiB of headers', () => {
    for (const text of WORST_HEADS) assert.equal(fallbackParse(Buffer.from(text)).parsed, false);
  });
});
