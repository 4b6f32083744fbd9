import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Dialogue, startTestListener } from '../../../test/support/smtp-dialogue.ts';
import { SharedMemory } from './shared-memory.ts';
import { MessageBuffer, StrictSmtpStream } from './smtp-data-stream.ts';

/** Line ends that some server somewhere has taken for the end of a message. None is (RFC 5321 4.1.1.4). */
const FALSE_ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\r',
  '\r.\n',
  '\n.\r',
  '\r\n\0.\r\n',
  '\0\r\n.\0\r\n',
  '\r\n.\r\r\n',
  '\r\n. \r\n',
  '\r\n..\r\n',
  '\n\n.\r\n',
  '\r\r\n.\n',
  '\u0085.\u0085',
];

describe('smtp listener: smuggling', { concurrency: 8 }, () => {
  for (const falseEnd of FALSE_ENDS) {
    for (const segmented of [false, true]) {
      const how = segmented ? 'a byte at a time' : 'in one piece';
      it(`delivers one message only after ${JSON.stringify(falseEnd)}, sent ${how}`, async () => {
        const listener = await startTestListener();
        const client = await Dialogue.open(listener.port);
        assert.equal(await client.begin(), 354);
        const inner =
          'MAIL FROM:<admin@agents.example>\r\nRCPT TO:<victim@agents.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nx';
        const bytes = Buffer.from(`Subject: outer\r\n\r\nfirst${falseEnd}${inner}\r\n.\r\n`);
        if (segmented) {
          for (const byte of bytes.subarray(0, 60)) {
            client.send(Buffer.from([byte]));
            await new Promise(setImmediate);
          }
          client.send(bytes.subarray(60));
        } else client.send(bytes);
        assert.equal((await client.reply()).code, 250);
        // A second message would get its replies before this one.
        client.send('QUIT\r\n');
        for (const code of [221, 0]) assert.equal((await client.reply()).code, code);
        await listener.close(0);
        assert.equal(listener.accepted.length, 1);
        assert.deepEqual(listener.asked, ['agent@agents.example']);
        assert.match(listener.accepted[0]?.raw.toString() ?? '', /Subject: smuggled\r\n\r\nx\r\n$/);
      });
    }
  }

  it('runs the commands pipelined after the true end', async () => {
    const listener = await startTestListener();
    const client = await Dialogue.open(listener.port);
    await client.begin();
    client.send('.\r\nMAIL FROM:<b@out.example>\r\nRCPT TO:<two@agents.example>\r\nDATA\r\n');
    for (const code of [250, 250, 250, 354]) assert.equal((await client.reply()).code, code);
    client.send('..\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    await listener.close(0);
    assert.deepEqual(
      listener.accepted.map((mail) => mail.raw.toString().split('+0000\r\n')[1]),
      ['', '.\r\n'],
    );
  });
});

/** What RFC 5321 4.5.2 makes of the bytes behind DATA, over the whole text at once. */
function reference(data: string): { message: string; rest: string } | null {
  const lines = `\r\n${data}`;
  const end = lines.indexOf('\r\n.\r\n');
  if (end < 0) return null;
  return {
    message: lines
      .slice(0, end + 2)
      .replaceAll('\r\n.', '\r\n')
      .slice(2),
    rest: lines.slice(end + 5),
  };
}

async function feed(pieces: readonly string[]): Promise<{ message: string; ended: boolean; commands: string }> {
  const stream = new StrictSmtpStream();
  let commands = '';
  stream.oncommand = (line, callback) => {
    commands += `${line}\n`;
    callback?.();
  };
  const data = stream.startDataMode();
  let message = '';
  let ended = false;
  data.on('data', (chunk: Buffer) => {
    message += chunk.toString('latin1');
  });
  data.on('end', () => {
    ended = true;
    stream.continue();
  });
  for (const piece of pieces) if (piece !== '') stream.write(Buffer.from(piece, 'latin1'));
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  return { message, ended, commands };
}

describe('StrictSmtpStream', () => {
  it('reads DATA per the RFC, however the bytes are split into packets', async () => {
    const text = fc
      .array(fc.constantFrom('\r', '\n', '.', 'x', '\r\n', '\r\n.', '..'), { maxLength: 24 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(30), { maxLength: 6 }), async (prefix, cuts) => {
        const data = `${prefix}\r\n.\r\n`;
        const marks = [...new Set([0, ...cuts.map((cut) => Math.min(cut, data.length)), data.length])].sort(
          (a, b) => a - b,
        );
        const pieces = marks.slice(1).map((mark, i) => data.slice(marks[i], mark));
        const expected = reference(data);
        const seen = await feed(pieces);
        assert.ok(expected);
        assert.equal(seen.ended, true);
        assert.equal(seen.message, expected.message);
      }),
      { numRuns: 500 },
    );
  });

  it('handles a message of dots cheaply: one step per packet, not one per dot', async () => {
    const stream = new StrictSmtpStream();
    stream.oncommand = () => {};
    const data = stream.startDataMode();
    let bytes = 0;
    let chunks = 0;
    data.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks += 1;
    });
    const packet = Buffer.from('..\r\n'.repeat(16_384));
    for (let i = 0; i < 16; i += 1) await new Promise<void>((resolve) => void stream.write(packet, () => resolve()));
    assert.equal(bytes, 16 * 16_384 * 3);
    assert.ok(chunks <= 16, `${chunks} chunks`);
  });
});

describe('MessageBuffer', () => {
  it('keeps the bytes in order for any packet sizes', () => {
    const budget = new SharedMemory(10_000_000).share('', () => {});
    const buffer = new MessageBuffer(budget, 1_000_000);
    let expected = '';
    for (let i = 0; i < 2000; i += 1) {
      const chunk = String(i).repeat(i % 50);
      expected += chunk;
      buffer.add(Buffer.from(chunk));
    }
    assert.equal(buffer.take(Buffer.from('>')).toString(), `>${expected}`);
  });

  it('returns to the memory budget exactly what it took', () => {
    const budget = new SharedMemory(131_072).share('', () => {});
    for (let round = 0; round < 10; round += 1) {
      const full = new MessageBuffer(budget, 200_000);
      full.add(Buffer.alloc(131_072));
      assert.equal(full.refusal, null);
      const late = new MessageBuffer(budget, 200_000);
      late.add(Buffer.alloc(1));
      assert.equal(late.refusal, 'over_budget');
      late.release();
      void full.take(Buffer.alloc(0));
      assert.equal(budget.take(1), false, 'still held while the message is answered');
      full.release();
      full.release();
      const big = new MessageBuffer(budget, 100);
      big.add(Buffer.alloc(101));
      assert.equal(big.refusal, 'too_big');
      big.release();
    }
  });
});
