import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import tls from 'node:tls';
import testCertificate from 'smtp-server/lib/tls-options.js';
import { eventually } from '../../../test/support/eventually.ts';
import { Dialogue } from '../../../test/support/smtp-dialogue.ts';
import { type ImapCredentials, ImapRefusal } from '../imap/imap-store.ts';
import type { SmtpListener } from '../smtp-in/smtp-listener.ts';
import { type SubmitListenerOptions, type SubmittedMail, startSubmitListener } from './submit-listener.ts';
import { bearerIn } from './submit-session.ts';

const { key, cert } = testCertificate();
const CONTEXT = tls.createSecureContext({ key, cert } as tls.SecureContextOptions);
const TLS = { context: () => CONTEXT };

interface Fake extends SmtpListener {
  taken: SubmittedMail[];
  tried: ImapCredentials[];
  /** Ends the login of each open session. */
  ends: (() => void)[];
  left: number;
  /** How many recipients were asked for. */
  asked: number;
}

const open: SmtpListener[] = [];
after(() => Promise.all(open.map((listener) => listener.close(0))));

/** Takes all mail of each address with the key `good`. */
async function start(more: Partial<SubmitListenerOptions<string>> = {}, decide?: () => Promise<void>): Promise<Fake> {
  const fake = {
    taken: [] as SubmittedMail[],
    tried: [] as ImapCredentials[],
    ends: [] as (() => void)[],
    left: 0,
    asked: 0,
  };
  const listener = await startSubmitListener<string>({
    host: '127.0.0.1',
    port: 0,
    hostname: 'mx.agents.example',
    tls: TLS,
    implicitTls: false,
    mayLoginInClear: () => true,
    log: { debug: () => {}, warn: () => {}, error: () => {} },
    service: {
      admits: async () => true,
      login: async (credentials, _client, ended) => {
        fake.tried.push(credentials);
        if (credentials.secret === 'busy') throw new ImapRefusal('LIMIT', 'Used up');
        if (credentials.secret !== 'good') throw new ImapRefusal('AUTHENTICATIONFAILED', 'Wrong address or key');
        fake.ends.push(ended);
        return credentials.user;
      },
      ownerOf: (login) => login,
      left: () => {
        fake.left += 1;
      },
      sender: async (login, from) =>
        from === login ? { ok: true } : { ok: false, code: 550, text: '5.7.1 Not yours' },
      recipient: async (_login, { others }) => {
        fake.asked += 1;
        return others < 3 ? { ok: true } : { ok: false, code: 452, text: '4.5.3 Too many' };
      },
      accept: async (_login, mail) => {
        await decide?.();
        fake.taken.push(mail);
        return { ok: true, text: '2.0.0 Queued as out_1' };
      },
    },
    ...more,
  });
  open.push(listener);
  return Object.assign(fake, listener);
}

const PLAIN = Buffer.from('\0ada@agents.example\0good').toString('base64');
const WRONG = Buffer.from('\0ada@agents.example\0bad').toString('base64');

async function said(client: Dialogue, line: string): Promise<string> {
  client.send(`${line}\r\n`);
  return (await client.reply()).lines.join('\n');
}

async function loggedIn(port: number, user = 'ada@agents.example'): Promise<Dialogue> {
  const client = await Dialogue.open(port);
  await client.say('EHLO laptop.example');
  const plain = Buffer.from(`\0${user}\0good`).toString('base64');
  assert.equal(await said(client, `AUTH PLAIN ${plain}`), '235 2.7.0 Authentication successful');
  return client;
}

async function upgraded(client: Dialogue): Promise<Dialogue> {
  const socket = tls.connect({ socket: client.socket, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return new Dialogue(socket);
}

describe('submission: logging in', () => {
  it('offers what RFC 6409 asks for, and takes mail of nobody who is not logged in: 530', async () => {
    const { port } = await start();
    const client = await Dialogue.open(port);
    assert.deepEqual((await said(client, 'EHLO laptop.example')).split('\n').slice(1).sort(), [
      '250 SIZE 26214400',
      '250-8BITMIME',
      '250-AUTH PLAIN LOGIN XOAUTH2 OAUTHBEARER',
      '250-ENHANCEDSTATUSCODES',
      '250-PIPELINING',
      '250-SMTPUTF8',
      '250-STARTTLS',
    ]);
    assert.equal(await said(client, 'MAIL FROM:<ada@agents.example>'), '530 5.7.0 Log in first');
    client.close();
  });

  it('in clear where that is not allowed: AUTH is not offered, and 538', async () => {
    for (const options of [{}, { tls: null }]) {
      const { port, tried } = await start({ mayLoginInClear: () => false, ...options });
      const client = await Dialogue.open(port);
      assert.doesNotMatch(await said(client, 'EHLO laptop.example'), /AUTH/);
      assert.match(await said(client, `AUTH PLAIN ${PLAIN}`), /^538 5\.7\.11 /);
      assert.match(await said(client, 'AUTH OAUTHBEARER'), /^538 5\.7\.11 /);
      assert.deepEqual(tried, []);
      client.close();
    }
  });

  it('with PLAIN, LOGIN, XOAUTH2 and OAUTHBEARER, at once or step by step', async () => {
    const { port, tried } = await start();
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const bearer = base64('n,a=ada@agents.example,\x01host=mx\x01port=587\x01auth=Bearer good\x01\x01');
    const xoauth = base64('user=ada@agents.example\x01auth=Bearer good\x01\x01');
    const ways: string[][] = [
      [`AUTH PLAIN ${PLAIN}`],
      ['AUTH PLAIN', PLAIN],
      ['AUTH LOGIN', base64('ada@agents.example'), base64('good')],
      [`AUTH XOAUTH2 ${xoauth}`],
      [`AUTH OAUTHBEARER ${bearer}`],
      ['auth oauthbearer', bearer],
    ];
    for (const way of ways) {
      const client = await Dialogue.open(port);
      await client.say('EHLO laptop.example');
      const codes: number[] = [];
      for (const line of way) codes.push(await client.say(line));
      assert.deepEqual(codes, [...way.slice(1).map(() => 334), 235], way.join(' | '));
      client.close();
    }
    assert.deepEqual(
      [...new Set(tried.map(({ kind, user, secret }) => `${kind} ${user} ${secret}`))],
      ['password ada@agents.example good', 'token ada@agents.example good'],
    );
  });

  it('OAUTHBEARER says why before it refuses (RFC 7628 3.2.2); what is none is 501', async () => {
    const { port } = await start();
    const client = await Dialogue.open(port);
    await client.say('EHLO laptop.example');
    const wrong = Buffer.from('n,,\x01auth=Bearer bad\x01\x01').toString('base64');
    const [code, reason = ''] = (await said(client, `AUTH OAUTHBEARER ${wrong}`)).split(' ');
    assert.equal(code, '334');
    assert.equal(JSON.parse(Buffer.from(reason, 'base64').toString()).status, 'invalid_token');
    assert.match(await said(client, 'AQ=='), /^535 5\.7\.8 Wrong address or key/);
    for (const none of ['AAAA', '*', 'x y']) assert.equal(await client.say(`AUTH OAUTHBEARER ${none}`), 501, none);
    assert.equal(bearerIn('n,a=a=2Cb=3Dc,\x01auth=Bearer t\x01\x01')?.user, 'a,b=c');
    for (const bad of ['', 'n,a=x', 'p=x,,\x01auth=Bearer t\x01\x01', 'n,,\x01auth=Basic t\x01\x01'])
      assert.equal(bearerIn(bad), null, bad);
    client.close();
  });

  it('a login for another is refused, and a limit is no wrong key: 454', async () => {
    const { port } = await start();
    const client = await Dialogue.open(port);
    await client.say('EHLO laptop.example');
    const other = Buffer.from('eve@agents.example\0ada@agents.example\0good').toString('base64');
    assert.match(await said(client, `AUTH PLAIN ${other}`), /^535 5\.7\.8 /);
    const busy = Buffer.from('\0ada@agents.example\0busy').toString('base64');
    assert.equal(await said(client, `AUTH PLAIN ${busy}`), '454 4.7.0 Used up');
    client.close();
  });

  it('the fifth failure closes the connection, however they are spread over mechanisms', async () => {
    const { port } = await start();
    const client = await Dialogue.open(port);
    await client.say('EHLO laptop.example');
    const bearer = Buffer.from('n,,\x01auth=Bearer bad\x01\x01').toString('base64');
    for (let n = 0; n < 2; n++) assert.equal(await client.say(`AUTH PLAIN ${WRONG}`), 535);
    assert.equal(await client.say(`AUTH OAUTHBEARER ${bearer}`), 334);
    assert.equal(await client.say('AQ=='), 535);
    // All that came with the fifth is dropped.
    client.send(`AUTH PLAIN ${WRONG}\r\nAUTH PLAIN ${WRONG}\r\nAUTH PLAIN ${PLAIN}\r\n`);
    assert.deepEqual(
      [(await client.reply()).code, (await client.reply()).code, (await client.reply()).code],
      [535, 535, 0],
    );
  });

  it('a network that is shut out is told so in the place of a greeting', async () => {
    const service = { admits: async () => false } as unknown as SubmitListenerOptions<string>['service'];
    const shut = await start({ service });
    const refused = new Dialogue(net.connect(shut.port, '127.0.0.1'));
    assert.match((await refused.reply()).lines.join(), /^421 4\.7\.0 /);
    assert.equal((await refused.reply()).code, 0);
  });
});

describe('submission: TLS', () => {
  it('discards what came before STARTTLS ended, and begins anew', async () => {
    const fake = await start();
    const client = await loggedIn(fake.port);
    const injected = 'EHLO evil.example\r\nMAIL FROM:<ada@agents.example>\r\nRCPT TO:<eve@out.example>\r\n';
    client.send(`STARTTLS\r\n${injected.repeat(200)}`);
    assert.equal((await client.reply()).code, 220);
    const secure = await upgraded(client);
    assert.match(await said(secure, 'MAIL FROM:<ada@agents.example>'), /^503 /);
    assert.match(await said(secure, 'EHLO laptop.example'), /AUTH PLAIN/);
    assert.equal(await said(secure, 'RCPT TO:<eve@out.example>'), '530 5.7.0 Log in first');
    assert.equal(await secure.say(`AUTH PLAIN ${PLAIN}`), 235);
    assert.equal(await secure.say('RCPT TO:<eve@out.example>'), 503);
    assert.equal(await secure.say('STARTTLS'), 503);
    secure.close();
    await eventually(() => fake.left === 2);
  });

  it('implicit TLS: no STARTTLS; the certificate is that of the moment', async () => {
    let asked = 0;
    const context = () => {
      asked += 1;
      return CONTEXT;
    };
    const { port } = await start({ implicitTls: true, tls: { context }, mayLoginInClear: () => false });
    for (const _ of [1, 2]) {
      const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      const client = new Dialogue(socket);
      assert.equal((await client.reply()).code, 220);
      assert.doesNotMatch(await said(client, 'EHLO laptop.example'), /STARTTLS/);
      assert.equal(await client.say(`AUTH PLAIN ${PLAIN}`), 235);
      client.close();
    }
    assert.ok(asked >= 2, `${asked}`);
  });
});

describe('submission: handshakes that never end', () => {
  const silent = async (port: number): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };

  it('fill only the share of their network, and hold up no stop', async () => {
    const limits = { maxConnectionsPerIp: 3 };
    const listener = await start({ implicitTls: true, limits });
    const waiting = await Promise.all([1, 2, 3].map(() => silent(listener.port)));
    const fourth = await silent(listener.port);
    if (!fourth.closed) await once(fourth, 'close');
    const elsewhere = net.connect({ port: listener.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    const other = new Dialogue(tls.connect({ socket: elsewhere, rejectUnauthorized: false }));
    assert.equal((await other.reply()).code, 220);
    assert.deepEqual(
      waiting.map(({ closed }) => closed),
      [false, false, false],
    );
    other.close();
    await listener.close(60_000);
  });
});

describe('submission: mail', () => {
  it('is taken byte for byte, dots unstuffed, with pipelined commands', async () => {
    const { port, taken } = await start();
    const client = await loggedIn(port);
    client.send('MAIL FROM:<ada@agents.example> AUTH=<> BODY=8BITMIME\r\nRCPT TO:<Bob@OUT.example>\r\nDATA\r\n');
    for (const code of [250, 250, 354]) assert.equal((await client.reply()).code, code);
    client.send('Subject: \xe9\r\n\r\n..dot\r\nlast\r\n.\r\n');
    assert.deepEqual((await client.reply()).lines, ['250 2.0.0 Queued as out_1']);
    assert.equal(taken[0]?.bytes.toString(), 'Subject: \xe9\r\n\r\n.dot\r\nlast\r\n');
    assert.deepEqual(taken[0]?.recipients, ['Bob@out.example']);
    client.close();
  });

  it('the table: the null path or a foreign one 550, too many recipients 452, each alone', async () => {
    const { port } = await start();
    const client = await loggedIn(port);
    assert.equal(await said(client, 'MAIL FROM:<eve@agents.example>'), '550 5.7.1 Not yours');
    assert.equal(await said(client, 'MAIL FROM:<>'), '550 5.7.1 Not yours');
    assert.equal(await said(client, 'MAIL FROM:<ada@agents.example>'), '250 2.1.0 Accepted');
    for (const n of [1, 2, 3]) assert.equal(await client.say(`RCPT TO:<b${n}@out.example>`), 250);
    assert.equal(await said(client, 'RCPT TO:<b4@out.example>'), '452 4.5.3 Too many');
    assert.equal(await client.say('RCPT TO:<b3@out.example>'), 250);
    assert.equal(await client.say('RCPT TO:<b\x01@out.example>'), 501);
    assert.equal(await said(client, 'RCPT TO:<\u00fc@out.example>'), '553 5.6.7 This address needs SMTPUTF8');
    client.close();
  });

  it('a CR in a command adds no recipient and no line to a reply', async () => {
    const { port, taken } = await start();
    const client = await loggedIn(port);
    await client.say('MAIL FROM:<ada@agents.example>');
    assert.equal(await client.say('RCPT TO:<b@out.example>\rRCPT TO:<c@out.example>'), 250);
    assert.equal(await client.say('RCPT TO:<b\rcc@out.example>'), 501);
    await client.say('DATA');
    assert.equal(await client.say('Subject: x\r\n\r\nx\r\n.'), 250);
    assert.deepEqual(taken[0]?.recipients, ['b@out.example']);
    client.close();
  });

  it('552 for one byte more than the limit, declared or sent; the session goes on', async () => {
    const { port, taken } = await start({ sizeBytesMax: 1000 });
    const client = await loggedIn(port);
    assert.match(await said(client, 'MAIL FROM:<ada@agents.example> SIZE=1001'), /^552 5\.3\.4 /);
    for (const [size, code] of [
      [999, 552],
      [998, 250],
    ] as const) {
      for (const line of ['MAIL FROM:<ada@agents.example>', 'RCPT TO:<b@out.example>', 'DATA']) await client.say(line);
      client.send(`${'x'.repeat(size)}\r\n.\r\n`);
      const reply = await client.reply();
      assert.equal(reply.code, code);
      if (code === 552) assert.match(reply.lines.join(), /^552 5\.3\.4 /);
    }
    assert.equal(taken.length, 1);
    client.close();
  });

  it('421 when the login ends: at once, and for a mail that is being decided after its answer', async () => {
    const gate = Promise.withResolvers<void>();
    const fake = await start({}, () => gate.promise);
    const idle = await loggedIn(fake.port);
    fake.ends.pop()?.();
    assert.match((await idle.reply()).lines.join(), /^421 4\.7\.0 /);
    assert.equal((await idle.reply()).code, 0);
    const busy = await loggedIn(fake.port);
    for (const line of ['MAIL FROM:<ada@agents.example>', 'RCPT TO:<b@out.example>', 'DATA']) await busy.say(line);
    busy.send('Subject: x\r\n\r\nx\r\n.\r\n');
    const slow = await loggedIn(fake.port);
    for (const line of ['MAIL FROM:<ada@agents.example>', 'RCPT TO:<b@out.example>', 'DATA']) await slow.say(line);
    slow.send('Subject: ');
    for (const end of fake.ends) end();
    assert.match((await slow.reply()).lines.join(), /^421 4\.7\.0 /);
    gate.resolve();
    assert.equal((await busy.reply()).code, 250);
    assert.match((await busy.reply()).lines.join(), /^421 4\.7\.0 /);
    assert.equal(fake.taken.length, 1);
    await eventually(() => fake.left === 3);
  });

  it('an account that fills the memory gives way to another one', async () => {
    const { port } = await start({ limits: { bufferedBytesMax: 4 * 65_536 } });
    const open = async (user: string): Promise<Dialogue> => {
      const client = await loggedIn(port, user);
      for (const line of [`MAIL FROM:<${user}>`, 'RCPT TO:<b@out.example>', 'DATA']) await client.say(line);
      return client;
    };
    const whole = async (user: string): Promise<number> => {
      const client = await open(user);
      const code = await client.say('Subject: x\r\n\r\nx\r\n.');
      client.close();
      return code;
    };
    const greedy = [await open('ada@agents.example'), await open('ada@agents.example')];
    for (const client of greedy) client.send(Buffer.alloc(100_000, 'x'));
    await eventually(async () => (await whole('ada@agents.example')) === 451);
    assert.equal(await whole('eve@agents.example'), 250);
    const codes = [];
    for (const client of greedy) {
      codes.push(await client.say('\r\n.'));
      client.close();
    }
    assert.deepEqual(codes.sort(), [250, 451]);
  });

  it('commands that come together leave others their turn', async () => {
    const fake = await start();
    const client = await loggedIn(fake.port);
    await client.say('MAIL FROM:<ada@agents.example>');
    let most = 0;
    let before = 0;
    let isDone = false;
    const watch = (): void => {
      most = Math.max(most, fake.asked - before);
      before = fake.asked;
      if (!isDone) setImmediate(watch);
    };
    watch();
    client.send('RCPT TO:<b@out.example>\r\n'.repeat(1000));
    for (let n = 0; n < 1000; n++) assert.equal((await client.reply()).code, 250);
    isDone = true;
    assert.equal(fake.asked, 1000);
    assert.ok(most <= 50, `${most} in one turn`);
    client.close();
  });

  it('a client that is slow with its message is cut off, and another one is served meanwhile', async () => {
    const { port, taken } = await start({ limits: { sessionMs: 400 } });
    const slow = await loggedIn(port);
    for (const line of ['MAIL FROM:<ada@agents.example>', 'RCPT TO:<b@out.example>', 'DATA']) await slow.say(line);
    const drip = setInterval(() => slow.send('x'), 20);
    const other = await loggedIn(port);
    assert.equal(await other.say('MAIL FROM:<ada@agents.example>'), 250);
    assert.equal((await slow.reply()).code, 421);
    clearInterval(drip);
    assert.equal(taken.length, 0);
    other.close();
  });
});
