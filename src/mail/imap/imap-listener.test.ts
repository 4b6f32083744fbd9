import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { ImapDialogue, startTestImap, type TestImap } from '../../../test/support/imap-dialogue.ts';
import type { ImapListenerOptions } from './imap-listener.ts';

const open: TestImap[] = [];
const start = async (options?: Partial<ImapListenerOptions>): Promise<TestImap> => {
  const listener = await startTestImap(options);
  open.push(listener);
  return listener;
};
after(() => Promise.all(open.map((listener) => listener.close(0))));

const big = `Subject: big\r\n\r\n${'x'.repeat(20_000_000)}`;

describe('imap listener: hostile clients', () => {
  it('half-open sessions make room for who comes, and leave those that have logged in', async () => {
    const listener = await start({ limits: { maxWaiting: 40, maxWaitingPerNetwork: 20 } });
    const bystander = await ImapDialogue.loggedIn(listener.port);
    const flood: net.Socket[] = [];
    for (let n = 0; n < 300; n += 1) {
      const localAddress = `127.0.0.${2 + (n % 5)}`;
      const socket = net.connect({ port: listener.port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      flood.push(socket);
      await once(socket, 'connect');
    }
    await eventually(() => listener.sessions() <= 41);
    assert.deepEqual(await bystander.say('NOOP'), ['OK NOOP completed']);
    const newcomer = await ImapDialogue.loggedIn(listener.port);
    assert.equal((await newcomer.say('LIST "" *')).length, 7);
    for (const socket of flood) socket.destroy();
    await eventually(() => listener.sessions() === 2);
    assert.deepEqual(listener.complaints, []);
  });

  it('a flood of one network leaves the others who wait', async () => {
    const listener = await start({ limits: { maxWaitingPerNetwork: 5 } });
    const waiting = await ImapDialogue.open(listener.port);
    for (let n = 0; n < 20; n += 1) await ImapDialogue.open(listener.port, '127.0.0.9');
    assert.match((await waiting.say('LOGIN agent@agents.example secret')).join(), /^OK/);
    await eventually(() => listener.sessions() <= 6);
  });

  it('a literal that is too large is refused by its number alone, and the session goes on', async () => {
    const listener = await start();
    const client = await ImapDialogue.loggedIn(listener.port);
    assert.match((await client.say('APPEND INBOX {2147483647}')).join(), /^NO \[TOOBIG\]/);
    assert.match((await client.say('APPEND INBOX {26214401}')).join(), /^NO \[TOOBIG\]/);
    assert.match((await client.say('SEARCH TEXT {2147483647}')).join(), /^BAD Command too long/);
    assert.deepEqual(await client.say('NOOP'), ['OK NOOP completed']);
    client.send('a APPEND INBOX {5000+}\r\n');
    assert.match(await client.rest(), /^a BAD A literal of more than 4096 bytes needs \{n\}\r\n\* BYE/);
    const anonymous = await ImapDialogue.open(listener.port);
    assert.match((await anonymous.say('LOGIN {20000} x')).join(), /^BAD/);
    assert.match((await anonymous.say('APPEND INBOX {20000}')).join(), /^BAD Command too long/);
    anonymous.close();
  });

  it('lines without end, many commands that cannot be read and too many before the login end the session', async () => {
    const listener = await start();
    const endless = await ImapDialogue.open(listener.port);
    endless.send('x'.repeat(30_000));
    assert.match(await endless.rest(), /^\* BAD Command too long\r\n\* BYE/);
    const web = await ImapDialogue.open(listener.port);
    web.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
    assert.match(await web.rest(), /\* BYE Too many commands that cannot be read\r\n$/);
    const chatty = await ImapDialogue.open(listener.port);
    chatty.send('a NOOP\r\n'.repeat(200));
    assert.match(await chatty.rest(), /\* BYE Log in first\r\n$/);
    const deep = await ImapDialogue.loggedIn(listener.port);
    await deep.say('SELECT INBOX');
    assert.match(
      (await deep.say(`SEARCH ${'('.repeat(2000)}ALL${')'.repeat(2000)}`)).join(),
      /^BAD Too many search keys/,
    );
    assert.match((await deep.say(`SEARCH ${'NOT '.repeat(2000)}ALL`)).join(), /^BAD Too many search keys/);
    assert.deepEqual(listener.complaints, []);
  });

  it('pipelined commands are answered in their order, however many', async () => {
    const listener = await start();
    const client = await ImapDialogue.loggedIn(listener.port);
    const count = 20_000;
    client.send(Array.from({ length: count }, (_, n) => `p${n} NOOP\r\n`).join(''));
    const text = await client.until(new RegExp(`p${count - 1} OK NOOP completed\r\n`));
    assert.equal(text, Array.from({ length: count }, (_, n) => `p${n} OK NOOP completed\r\n`).join(''));
  });

  it('who does not read is left, and is asked for no more mails meanwhile', async () => {
    const listener = await start({ limits: { stallMs: 300 } });
    const { mailbox } = listener.service;
    for (let n = 0; n < 5; n += 1) mailbox.add('INBOX', big);
    let read = 0;
    mailbox.onFetch = () => {
      read += 1;
    };
    const client = await ImapDialogue.loggedIn(listener.port);
    await client.say('SELECT INBOX');
    client.socket.pause();
    client.send('a FETCH 1:* BODY.PEEK[]\r\n');
    // The connection goes first, and the command at work hears of it.
    await eventually(() => listener.sessions() === 0 && mailbox.closed > 0);
    assert.equal(read, 1);
    assert.equal(mailbox.closed, 1);
  });

  it('memory that slow sessions of an account hold goes to another one that comes', async () => {
    const listener = await start({ limits: { bufferedBytesMax: 45_000_000 } });
    const { mailbox } = listener.service;
    mailbox.add('INBOX', big);
    const slow: ImapDialogue[] = [];
    for (let n = 0; n < 4; n += 1) {
      const client = await ImapDialogue.loggedIn(listener.port);
      await client.say('SELECT INBOX');
      client.socket.pause();
      client.send('a FETCH 1 BODY.PEEK[]\r\n');
      slow.push(client);
    }
    await eventually(() => listener.sessions() === 2);
    mailbox.owner = 'acct_2';
    const client = await ImapDialogue.loggedIn(listener.port);
    client.send('a APPEND Archive {20000000}\r\n');
    await client.until(/\+ OK\r\n/);
    client.send(Buffer.alloc(20_000_000, 'y'));
    client.send('\r\n');
    assert.deepEqual(await client.answer('a'), ['OK [APPENDUID 7 1] APPEND completed']);
    for (const each of slow) each.close();
  });

  it('time without a command ends a session, before the login sooner', async () => {
    const listener = await start({ limits: { loginMs: 50, idleMs: 100 } });
    const anonymous = await ImapDialogue.open(listener.port);
    assert.equal(await anonymous.rest(), '* BYE No login in time\r\n');
    const client = await ImapDialogue.loggedIn(listener.port);
    client.send('a IDLE\r\n');
    assert.equal(await client.rest(), '+ idling\r\n* BYE Idle for too long\r\n');
  });

  it('a network that is not admitted is told so; closing lets a command at work finish', async () => {
    const listener = await start();
    listener.service.admitted = false;
    const refused = new ImapDialogue(net.connect(listener.port, '127.0.0.1'));
    assert.match(await refused.rest(), /^\* BYE \[UNAVAILABLE\]/);
    listener.service.admitted = true;
    const client = await ImapDialogue.loggedIn(listener.port);
    const idle = await ImapDialogue.loggedIn(listener.port);
    const { mailbox } = listener.service;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    mailbox.status = async () => {
      begin();
      await released;
      return { uidValidity: 7, uidNext: 1, highestModSeq: 1, messages: 0, unseen: 0, deleted: 0, size: 0 };
    };
    client.send('a STATUS INBOX (MESSAGES)\r\n');
    await begun;
    const closed = listener.close(10_000);
    assert.equal(await idle.rest(), '* BYE Service closing\r\n');
    release();
    assert.equal(
      await client.rest(),
      '* STATUS INBOX (MESSAGES 0)\r\na OK STATUS completed\r\n* BYE Service closing\r\n',
    );
    await closed;
  });
});
