import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import testCertificate from 'smtp-server/lib/tls-options.js';
import { eventually } from '../../../test/support/eventually.ts';
import type { TestListener, TestListenerOptions } from '../../../test/support/smtp-dialogue.ts';
import { Dialogue, startTestListener } from '../../../test/support/smtp-dialogue.ts';

const open: TestListener[] = [];
const start = async (options?: TestListenerOptions): Promise<TestListener> => {
  const listener = await startTestListener(options);
  open.push(listener);
  return listener;
};
/** How long a connection may take to end that ends by itself. */
const PATIENCE_MS = 120_000;

after(() => Promise.all(open.map((listener) => listener.close(0))));

describe('smtp listener: limits', () => {
  it('greets at once, although the library would wait 100 ms', async (context) => {
    const listener = await start();
    // No timer ends any more: a listener that waits for one never greets.
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const client = await Dialogue.open(listener.port);
    assert.equal(await client.say('NOOP'), 250);
    client.close();
  });

  it('serves a client that does not wait for the greeting', async () => {
    const listener = await start();
    const client = new Dialogue(net.connect(listener.port, '127.0.0.1'));
    client.send('EHLO c\r\nMAIL FROM:<eve@out.example>\r\nRCPT TO:<a@agents.example>\r\nDATA\r\n');
    for (const code of [220, 250, 250, 250, 354]) assert.equal((await client.reply()).code, code);
    client.send('\r\nhi\r\n.\r\nQUIT\r\n');
    for (const code of [250, 221, 0]) assert.equal((await client.reply()).code, code);
  });

  it('552 for a declared SIZE over the limit, before any of it is sent', async () => {
    const listener = await start({ sizeBytesMax: 1000 });
    const client = await Dialogue.open(listener.port);
    await client.say('EHLO client.example');
    assert.equal(await client.say('MAIL FROM:<eve@out.example> SIZE=1001'), 552);
    assert.equal(await client.say('MAIL FROM:<eve@out.example> SIZE=1000'), 250);
    client.close();
  });

  it('552 for a message over the limit; accepts one of exactly that size, and the session continues', async () => {
    const listener = await start({ sizeBytesMax: 1000 });
    const client = await Dialogue.open(listener.port);
    await client.begin();
    client.send(`${'x'.repeat(999)}\r\n.\r\n`);
    assert.equal((await client.reply()).code, 552);
    await client.begin();
    client.send(`${'x'.repeat(998)}\r\n.\r\n`);
    assert.equal((await client.reply()).code, 250);
    client.close();
    assert.equal(listener.accepted.length, 1);
  });

  it('451 if the messages in progress together need too much memory; it is freed afterwards', async () => {
    const listener = await start({ limits: { bufferedBytesMax: 131_072 } });
    const first = await Dialogue.open(listener.port);
    const second = await Dialogue.open(listener.port);
    const third = await Dialogue.open(listener.port);
    for (const client of [first, second, third]) assert.equal(await client.begin(), 354);
    first.send('x\r\n');
    second.send('x\r\n');
    /** Sends a message until it is answered so: the listener may still have to hear of what the others sent, or did. */
    const until = async (code: number, text: string): Promise<void> => {
      let answer = 0;
      for (let tries = 0; tries < 1000 && answer !== code; tries += 1) {
        if (tries > 0) await third.begin();
        third.send(`${text}\r\n.\r\n`);
        answer = (await third.reply()).code;
      }
      assert.equal(answer, code);
    };
    await until(451, 'x');
    const elsewhere = await Dialogue.open(listener.port, '127.0.0.2');
    await elsewhere.begin();
    elsewhere.send('x\r\n.\r\n');
    assert.equal((await elsewhere.reply()).code, 250, 'a network that holds less');
    elsewhere.close();
    first.send('.\r\n');
    assert.equal((await first.reply()).code, 451, 'the first of who holds most went');
    await first.begin();
    first.send('x\r\n');
    await third.begin();
    await until(451, 'x');
    first.close();
    second.send('.\r\n');
    assert.equal((await second.reply()).code, 250);
    await third.begin();
    await until(250, 'y'.repeat(100_000));
    second.close();
    third.close();
  });

  it('452 for one recipient too many; the others get the message', async () => {
    const listener = await start({ limits: { maxRecipients: 3 } });
    const client = await Dialogue.open(listener.port);
    await client.say('EHLO client.example');
    await client.say('MAIL FROM:<eve@out.example>');
    const codes = [];
    for (const name of ['a', 'b', 'c', 'd', 'A']) codes.push(await client.say(`RCPT TO:<${name}@agents.example>`));
    assert.deepEqual(codes, [250, 250, 250, 452, 250]);
    await client.say('DATA');
    client.send('\r\nhi\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    assert.equal(listener.accepted[0]?.recipients.length, 3);
  });

  it('421 over the connection limit of one address; closing one frees a slot', async () => {
    const listener = await start({ limits: { maxConnectionsPerIp: 2 } });
    const first = await Dialogue.open(listener.port);
    const second = await Dialogue.open(listener.port);
    for (let i = 0; i < 5; i += 1) {
      const refused = new Dialogue((await Dialogue.open(listener.port)).socket);
      assert.equal((await refused.reply()).code, 0, 'closed after its 421');
    }
    assert.equal(await second.say('NOOP'), 250);
    first.close();
    // The listener may hear of the next connection before it hears of the end of the first.
    const next = await eventually(async () => {
      const client = await Dialogue.open(listener.port);
      return (await client.say('NOOP')) === 250 && client;
    });
    second.close();
    next.close();
  });

  it('421 over the total connection limit if every connection is sending a message', async () => {
    const listener = await start({ limits: { maxConnections: 2 } });
    const busy = [await Dialogue.open(listener.port), await Dialogue.open(listener.port)];
    for (const client of busy) assert.equal(await client.begin(), 354);
    const late = await Dialogue.open(listener.port);
    assert.equal(await late.say('NOOP'), 0);
    for (const client of busy) {
      client.send('x\r\n.\r\n');
      assert.equal((await client.reply()).code, 250);
      client.close();
    }
  });

  it('over the maximum, the connection that has been idle longest is closed', async () => {
    const listener = await start({ limits: { maxConnections: 3 } });
    const busy = await Dialogue.open(listener.port);
    await busy.begin();
    const longest = await Dialogue.open(listener.port);
    const other = await Dialogue.open(listener.port);
    assert.equal(await longest.say('NOOP'), 250);
    assert.equal(await other.say('NOOP'), 250);
    const next = await Dialogue.open(listener.port);
    assert.equal(await next.begin(), 354);
    assert.equal((await longest.reply()).code, 421);
    assert.equal(await other.say('NOOP'), 250);
    for (const client of [busy, next]) {
      client.send('x\r\n.\r\n');
      assert.equal((await client.reply()).code, 250);
    }
    for (const client of [busy, next, other]) client.close();
  });

  it('421 for a message that never ends', async () => {
    const listener = await start({ limits: { idleMs: 1000, sessionMs: 2000 } });
    const client = await Dialogue.open(listener.port);
    assert.equal(await client.begin(), 354);
    const dripping = setInterval(() => client.send('x'), 20);
    assert.equal((await client.reply()).code, 421);
    clearInterval(dripping);
    assert.deepEqual(listener.accepted, []);
  });

  it('421 for an idle client, and for a session that takes too long', async () => {
    const listener = await start({ limits: { idleMs: 100, sessionMs: 400 } });
    const idle = await Dialogue.open(listener.port);
    assert.equal((await idle.reply()).code, 421);
    const chatty = await Dialogue.open(listener.port);
    await eventually(async () => (await chatty.say('NOOP')) === 421);
  });
});

describe('smtp listener: broken connections', () => {
  it('discards a message whose client disconnects before its end', async () => {
    const listener = await start();
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const client = await Dialogue.open(listener.port);
      assert.equal(await client.begin(), 354);
      client.send(`Subject: half\r\n\r\n${'x'.repeat(100_000)}\r\n.`);
      await eventually(() => client.socket.writableLength === 0);
      client.socket[leave]();
    }
    const client = await Dialogue.open(listener.port);
    await client.begin();
    client.send('\r\nwhole\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    // It ends when the listener has heard of the end of each connection.
    await listener.close(PATIENCE_MS);
    assert.deepEqual(
      listener.accepted.map(({ raw }) => raw.includes('whole')),
      [true],
    );
  });

  it('keeps a complete message even if its client did not wait for the answer', async () => {
    const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const listener = await start({
      accept: async () => {
        heard[begun++]?.resolve();
        await gate.promise;
        return { ok: true, text: '2.0.0 Ok' };
      },
    });
    for (const [n, leave] of (['destroy', 'resetAndDestroy'] as const).entries()) {
      const client = await Dialogue.open(listener.port);
      await client.begin();
      client.send('\r\nhi\r\n.\r\n');
      await heard[n]?.promise;
      client.socket[leave]();
      await once(client.socket, 'close');
    }
    gate.resolve();
    await eventually(() => listener.accepted.length === 2);
    await listener.close(PATIENCE_MS);
    assert.equal(listener.accepted.length, 2);
    assert.ok(!listener.complaints.includes('smtp reply failed'));
  });

  it('survives garbage, overlong lines and floods of commands', async () => {
    const listener = await start();
    const garbage = await Dialogue.open(listener.port);
    garbage.send(Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 31) % 256)));
    garbage.socket.end();
    await eventually(async () => (await garbage.reply()).code === 0);
    const long = await Dialogue.open(listener.port);
    long.send(`EHLO ${'x'.repeat(100_000)}\r\n`);
    for (const code of [421, 0]) assert.equal((await long.reply()).code, code);
    const flood = await Dialogue.open(listener.port);
    flood.send('NOOP\r\n'.repeat(20_000));
    flood.socket.resetAndDestroy();
    const fine = await Dialogue.open(listener.port);
    assert.equal(await fine.say('NOOP'), 250);
    fine.close();
  });
});

describe('smtp listener: close', () => {
  it('lets a message in progress finish, closes idle connections, and accepts no new ones', async () => {
    const listener = await startTestListener();
    const idle = await Dialogue.open(listener.port);
    const busy = await Dialogue.open(listener.port);
    await busy.say('EHLO client.example');
    await busy.say('MAIL FROM:<eve@out.example>');
    const closed = listener.close(5000);
    assert.equal((await idle.reply()).code, 421);
    await assert.rejects(once(new Dialogue(net.connect(listener.port, '127.0.0.1')).socket, 'connect'));
    assert.equal(await busy.say('RCPT TO:<a@agents.example>'), 250);
    assert.equal(await busy.say('DATA'), 354);
    busy.send('\r\nlast\r\n.\r\n');
    assert.equal((await busy.reply()).code, 250);
    assert.equal((await busy.reply()).code, 421);
    await closed;
    assert.equal(listener.accepted.length, 1);
  });

  it('drops the rest at the deadline, including a TLS handshake that never ends', async () => {
    const { key, cert } = testCertificate({}) as { key: string; cert: string };
    const listener = await startTestListener({ tls: { key, cert } });
    const stuck = await Dialogue.open(listener.port);
    await stuck.begin();
    const handshake = await Dialogue.open(listener.port);
    await handshake.say('EHLO client.example');
    assert.equal(await handshake.say('STARTTLS'), 220);
    // Without the deadline it would wait for both for as long as this test may take.
    await listener.close(200);
    assert.equal((await stuck.reply()).code, 421);
    assert.deepEqual(listener.accepted, []);
    handshake.close();
  });

  it('resolves at once without connections, and can be called twice', async () => {
    const listener = await startTestListener();
    await Promise.all([listener.close(5000), listener.close(5000)]);
  });

  it('listen rejects if the port is in use', async () => {
    const listener = await start();
    await assert.rejects(startTestListener({ port: listener.port }), /EADDRINUSE/);
  });
});
