import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import tls from 'node:tls';
import { createTransport } from 'nodemailer';
import testCertificate from 'smtp-server/lib/tls-options.js';
import type { TestListener, TestListenerOptions } from '../../../test/support/smtp-dialogue.ts';
import { Dialogue, startTestListener } from '../../../test/support/smtp-dialogue.ts';

const open: TestListener[] = [];
const start = async (options?: TestListenerOptions): Promise<TestListener> => {
  const listener = await startTestListener(options);
  open.push(listener);
  return listener;
};
after(() => Promise.all(open.map((listener) => listener.close(0))));

const bodyOf = (raw: Buffer): string => raw.toString('utf8').split('\r\n\r\n').slice(1).join('\r\n\r\n');

describe('smtp listener: a delivery', () => {
  it('accepts a message from an ordinary client and answers 250 with the text from accept', async () => {
    const listener = await start();
    const client = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true, name: 'client.example' });
    const info = await client.sendMail({
      from: 'Eve <eve@out.example>',
      to: 'Agent@AGENTS.example, other@agents.example',
      subject: 'Grüße',
      text: 'one\n.two\n..three\n',
    });
    client.close();
    assert.equal(info.response, '250 2.0.0 Ok: stored');
    const mail = listener.accepted[0];
    assert.ok(mail);
    assert.deepEqual(mail.recipients, ['agent@agents.example', 'other@agents.example']);
    assert.equal(mail.envelopeFrom, 'eve@out.example');
    assert.equal(mail.remoteAddress, '127.0.0.1');
    assert.equal(mail.helo, 'client.example');
    assert.equal(mail.tls, false);
    assert.equal(bodyOf(mail.raw), 'one\r\n.two\r\n..three\r\n');
  });

  it('prepends a Received header that names the recipient only if there is exactly one (RFC 5321 4.4, 7.2)', async () => {
    const listener = await start();
    const client = await Dialogue.open(listener.port);
    assert.equal(await client.begin('', 'Agent@agents.example'), 354);
    client.send('Subject: x\r\n\r\nhi\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    await client.say('MAIL FROM:<eve@out.example>');
    await client.say('RCPT TO:<a@agents.example>');
    await client.say('RCPT TO:<b@agents.example>');
    await client.say('RCPT TO:<A@agents.example>');
    await client.say('DATA');
    client.send('Subject: y\r\n\r\nhi\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    const [first, second] = listener.accepted;
    assert.ok(first && second);
    const [from, by, recipient, date, ...message] = first.raw.toString().split('\r\n');
    assert.equal(from, 'Received: from client.example ([127.0.0.1])');
    assert.match(by ?? '', /^\tby mx\.agents\.example with ESMTP id [a-z0-9]+\.1$/);
    assert.equal(recipient, '\tfor <agent@agents.example>;');
    assert.equal(date, '\tSat, 31 Jan 2026 12:00:00 +0000');
    assert.deepEqual(message, ['Subject: x', '', 'hi', '']);
    assert.equal(first.envelopeFrom, '');
    assert.doesNotMatch(second.raw.toString(), /for </);
    assert.deepEqual(second.recipients, ['a@agents.example', 'b@agents.example']);
  });

  it('keeps only safe characters of the name in HELO', async () => {
    const listener = await start();
    const client = await Dialogue.open(listener.port);
    await client.say('HELO a;b(c)<d>"e"é');
    await client.say('MAIL FROM:<eve@out.example>');
    await client.say('RCPT TO:<a@agents.example>');
    await client.say('DATA');
    client.send('\r\nhi\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    assert.match(listener.accepted[0]?.raw.toString() ?? '', /^Received: from a\?b\?c\?\?d\?\?e\?\? \(.*with SMTP id/s);
  });

  it('advertises SIZE, 8BITMIME, SMTPUTF8 and PIPELINING, but neither AUTH nor STARTTLS', async () => {
    const listener = await start({ sizeBytesMax: 5000 });
    const client = await Dialogue.open(listener.port);
    client.send('EHLO client.example\r\n');
    const features = (await client.reply()).lines.slice(1).map((line) => line.slice(4));
    assert.deepEqual(features.sort(), ['8BITMIME', 'PIPELINING', 'SIZE 5000', 'SMTPUTF8']);
    for (const command of ['AUTH PLAIN AAAA', 'STARTTLS', 'XCLIENT ADDR=1.2.3.4', 'WIZ x', 'SHELL']) {
      assert.equal(await client.say(command), 500, command);
    }
    client.close();
  });

  it('accepts an internationalized address only with SMTPUTF8 (RFC 6531)', async () => {
    const listener = await start({ checkRecipient: async () => ({ ok: true }) });
    const client = await Dialogue.open(listener.port);
    await client.say('EHLO client.example');
    await client.say('MAIL FROM:<eve@out.example>');
    assert.equal(await client.say('RCPT TO:<jürgen@agents.example>'), 553);
    assert.equal(await client.say('RCPT TO:<agent@BÜCHER.example>'), 250);
    await client.say('RSET');
    await client.say('MAIL FROM:<eve@out.example> SMTPUTF8 BODY=8BITMIME');
    assert.equal(await client.say('RCPT TO:<jürgen@agents.example>'), 250);
    await client.say('DATA');
    client.send('Subject: ü\r\n\r\nü\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    assert.deepEqual(listener.asked, ['agent@xn--bcher-kva.example', 'jürgen@agents.example']);
    assert.equal(listener.accepted[0]?.smtpUtf8, true);
    assert.match(listener.accepted[0]?.raw.toString() ?? '', /with UTF8SMTP id/);
  });

  it('folds only ASCII: the Kelvin sign is not a k', async () => {
    const listener = await start({ checkRecipient: async () => ({ ok: true }) });
    const client = await Dialogue.open(listener.port);
    await client.say('EHLO client.example');
    await client.say('MAIL FROM:<eve@out.example> SMTPUTF8');
    await client.say('RCPT TO:<MA\u212A@agents.example>');
    client.close();
    assert.deepEqual(listener.asked, ['ma\u212A@agents.example']);
  });

  it('speaks TLS after STARTTLS, discards the earlier session state, and marks the message', async () => {
    const { key, cert } = testCertificate({}) as { key: string; cert: string };
    const listener = await start({ tls: { key, cert } });
    const client = createTransport({
      host: '127.0.0.1',
      port: listener.port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    });
    await client.sendMail({ from: 'eve@out.example', to: 'agent@agents.example', text: 'hi' });
    client.close();
    assert.equal(listener.accepted[0]?.tls, true);
    assert.match(listener.accepted[0]?.raw.toString() ?? '', /with ESMTPS id/);
  });

  it('runs no command that was sent in plain text after STARTTLS (CVE-2011-0411)', async () => {
    const { key, cert } = testCertificate({}) as { key: string; cert: string };
    const listener = await start({ tls: { key, cert } });
    const client = await Dialogue.open(listener.port);
    await client.say('EHLO client.example');
    client.send('STARTTLS\r\nMAIL FROM:<injected@out.example>\r\n');
    assert.equal((await client.reply()).code, 220);
    client.socket.removeAllListeners('data');
    const secure = tls.connect({ socket: client.socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    const inside = new Dialogue(secure);
    assert.equal(await inside.say('EHLO client.example'), 250);
    assert.equal(await inside.say('RCPT TO:<agent@agents.example>'), 503);
    inside.close();
  });
});

describe('smtp listener: answers', () => {
  it('answers DATA with the result of accept, and 451 if it throws', async () => {
    const answers = [
      { ok: false, code: 552, text: '5.2.2 Mailbox full' },
      { ok: false, code: 554, text: '5.7.1 No' },
      { ok: false, code: 451, text: '4.7.0 Later' },
    ] as const;
    let calls = 0;
    const listener = await start({
      accept: async () => {
        const answer = answers[calls];
        calls += 1;
        if (answer === undefined) throw new Error('disk full');
        return answer;
      },
    });
    const client = await Dialogue.open(listener.port);
    for (const expected of [552, 554, 451, 451]) {
      assert.equal(await client.begin(), 354);
      client.send('\r\nhi\r\n.\r\n');
      assert.equal((await client.reply()).code, expected);
    }
    client.close();
    assert.deepEqual(listener.complaints, ['smtp message not accepted']);
  });

  it('answers 250 only after accept has resolved', async () => {
    const [heard, storing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const listener = await start({
      accept: async () => {
        heard.resolve();
        await storing.promise;
        return { ok: true, text: '2.0.0 Ok' };
      },
    });
    const client = await Dialogue.open(listener.port);
    await client.begin();
    let answered = 0;
    client.socket.on('data', () => answered++);
    client.send('\r\nhi\r\n.\r\n');
    await heard.promise;
    // What an answer would need: a whole delivery by another client comes and goes meanwhile.
    const other = await Dialogue.open(listener.port);
    assert.equal(await other.begin(), 354);
    assert.equal(answered, 0);
    storing.resolve();
    assert.equal((await client.reply()).code, 250);
    for (const each of [client, other]) each.close();
  });

  it('answers each RCPT with the result of the check, and 451 if it throws', async () => {
    const listener = await start({
      checkRecipient: async (address) => {
        if (address.startsWith('boom')) throw new Error('database is away');
        if (address.startsWith('slow')) return { ok: false, code: 450, text: '4.2.1 Later' };
        return address.startsWith('no') ? { ok: false, code: 550, text: '5.1.1 No such mailbox' } : { ok: true };
      },
    });
    const client = await Dialogue.open(listener.port);
    await client.say('EHLO client.example');
    await client.say('MAIL FROM:<eve@out.example>');
    assert.equal(await client.say('RCPT TO:<boom@agents.example>'), 451);
    assert.equal(await client.say('RCPT TO:<slow@agents.example>'), 450);
    assert.equal(await client.say('RCPT TO:<no@agents.example>'), 550);
    assert.equal(await client.say('DATA'), 503);
    assert.equal(await client.say('RCPT TO:<yes@agents.example>'), 250);
    client.close();
  });

  it('checks the bare postmaster of RFC 5321 4.5.1 like any recipient', async () => {
    const listener = await start({ checkRecipient: async () => ({ ok: true }) });
    const client = await Dialogue.open(listener.port);
    await client.begin('eve@out.example', 'Postmaster');
    client.send('\r\nhi\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    assert.deepEqual(listener.asked, ['postmaster@']);
    assert.deepEqual(listener.accepted[0]?.recipients, ['postmaster']);
  });

  it('refuses a message that passed more than 50 servers: 554 5.4.6', async () => {
    const listener = await start();
    const client = await Dialogue.open(listener.port);
    const hop = 'Received: from a by b;\r\n\tFri, 30 Jan 2026 12:00:00 +0000\r\n';
    await client.begin();
    client.send(`${hop.repeat(50)}\r\n${hop.repeat(10)}\r\n.\r\n`);
    assert.equal((await client.reply()).code, 250, 'fifty, and ten more in the body');
    await client.begin();
    client.send(`${hop.repeat(51)}\r\nhi\r\n.\r\n`);
    assert.match((await client.reply()).lines[0] ?? '', /^554 5\.4\.6 /);
    client.close();
    assert.equal(listener.accepted.length, 1);
  });
});
