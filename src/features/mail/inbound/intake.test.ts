import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAgent, suspend, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';

let names = 0;

const messagesOf = async ({ api, address }: TestAgent) =>
  (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;

/** The newest message of an inbox, with every field. */
async function newest(ada: TestAgent) {
  const { message_id } = (await messagesOf(ada))[0];
  return (await ada.api.get(`/v1/email/messages/${message_id}?address=${ada.address}`)).body;
}

/** The bytes of a reply, without decoding. */
async function bytesOf(t: TestApp, ada: TestAgent, path: string) {
  const response = await fetch(t.baseUrl + path, { headers: { authorization: `Bearer ${ada.key}` } });
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const rawOf = (t: TestApp, ada: TestAgent, id: string) =>
  bytesOf(t, ada, `/v1/email/messages/${id}/raw?address=${ada.address}`);

const lines = (...text: string[]): string => text.join('\r\n');

onEngines('any', 'mail that arrives by SMTP', {}, (suite) => {
  it('is in the list as soon as the client has its 250, 20 times in a row', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (let n = 1; n <= 20; n++) {
      await t.sendSmtp({ to: ada.address, subject: `mail ${n}`, text: 'x' });
      const { body } = await ada.api.get(`/v1/inbox/${ada.address}`);
      assert.deepEqual([body.messages.length, body.total], [n, n]);
    }
  });

  it('has a text `body` as plain text, as an alternative and as HTML alone', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address, subject: 'plain', text: 'Just text' });
    const plain = await newest(ada);
    assert.deepEqual([plain.body.trim(), plain.html], ['Just text', null]);
    t.clock.advance(1000);
    await t.sendSmtp({ to: ada.address, subject: 'both', text: 'The text', html: '<i>The html</i>' });
    const both = await newest(ada);
    assert.deepEqual([both.body.trim(), both.html.trim()], ['The text', '<i>The html</i>']);
    t.clock.advance(1000);
    await t.sendSmtp({ to: ada.address, subject: 'html', html: '<p>Only <b>HTML</b></p><script>no()</script>' });
    const html = await newest(ada);
    assert.equal(html.body.trim(), 'Only HTML');
    assert.equal(html.snippet, 'Only HTML');
    assert.match(html.html, /<script>/);
  });

  it('has attachments with name, type, size and the same bytes, always as a download', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const picture = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256));
    await t.sendSmtp({
      to: ada.address,
      text: 'see attached',
      attachments: [
        { filename: 'bild „ä".png', content: picture, contentType: 'image/png' },
        { filename: 'page.html', content: '<script>alert(1)</script>', contentType: 'text/html' },
      ],
    });
    const message = await newest(ada);
    const [png, html] = message.attachments;
    assert.deepEqual([png.filename, png.content_type, png.size], ['bild „ä".png', 'image/png', picture.length]);
    assert.deepEqual([html.filename, html.content_type, html.size], ['page.html', 'text/html', 25]);
    const downloaded = await bytesOf(t, ada, png.url);
    assert.ok(downloaded.bytes.equals(picture));
    assert.equal(downloaded.headers.get('content-type'), 'application/octet-stream');
    assert.equal(downloaded.headers.get('x-content-type-options'), 'nosniff');
    const disposition = downloaded.headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/);
    assert.equal(decodeURIComponent(disposition.split("''")[1] ?? ''), 'bild „ä".png');
    const page = await bytesOf(t, ada, html.url);
    assert.equal(page.headers.get('content-type'), 'application/octet-stream');
    assert.match(page.headers.get('content-disposition') ?? '', /^attachment;/);
    const none = await ada.api.get(`/v1/email/messages/${message.message_id}/attachments/2?address=${ada.address}`);
    assert.equal(none.status, 404);
  });

  it('has decoded headers and 8-bit bodies', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const raw = lines(
      'From: =?utf-8?Q?J=C3=BCrgen_M=C3=BCller?= <j@example.com>',
      `To: ${ada.address}`,
      'Subject: =?ISO-8859-1?Q?Gr=FC=DFe?= =?utf-8?B?IGF1cyBLw7ZsbiDwn5iA?=',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Schöne Grüße – 8 bit 😀',
    );
    await t.sendSmtp({ to: ada.address, raw: Buffer.from(raw) });
    const message = await newest(ada);
    assert.equal(message.subject, 'Grüße aus Köln 😀');
    assert.equal(message.from_name, 'Jürgen Müller');
    assert.equal(message.body.trim(), 'Schöne Grüße – 8 bit 😀');
  });

  it('has the first 120 characters as a one-line snippet, and the text without quotes as reply_text', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address, text: `one\n\n  two   ${'😀'.repeat(200)}` });
    const { snippet } = await newest(ada);
    assert.equal(snippet, `one two ${'😀'.repeat(112)}`);
    t.clock.advance(1000);
    const text = 'Yes, agreed.\n\nOn Mon, 1 Jan 2026 at 10:00, Ada <ada@example.com> wrote:\n> Shall we?\n> Ada\n';
    await t.sendSmtp({ to: ada.address, text });
    const reply = await newest(ada);
    assert.equal(reply.reply_text, 'Yes, agreed.');
    assert.match(reply.body, /Shall we\?/);
  });

  it('has its bytes as sent in raw, after our Received header', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const raw = lines('From: a@example.com', 'Subject: raw', '', '.leading dot', '\tcaf\u00e9 \u0001 end', '', '');
    await t.sendSmtp({ to: ada.address, raw: Buffer.from(raw, 'latin1') });
    const message = await newest(ada);
    const { bytes, headers } = await rawOf(t, ada, message.message_id);
    assert.equal(headers.get('content-type'), 'message/rfc822');
    assert.equal(message.size, bytes.length);
    const at = bytes.indexOf('From: a@example.com');
    assert.ok(bytes.subarray(at).equals(Buffer.from(raw, 'latin1')));
    const trace = bytes.toString('latin1', 0, at);
    assert.match(trace, /^Received: from [^\r\n]+\r\n\tby agents\.localhost with ESMTP id [^\r\n]+\r\n/);
    assert.ok(trace.includes(`for <${ada.address}>`));
  });
});

onEngines('both', 'mail that arrives by SMTP: what the database decides', {}, (suite) => {
  it('is kept byte for byte and flagged if it cannot be parsed', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const deep = Array.from({ length: 80 }, (_, i) =>
      lines(`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`, ''),
    ).join('');
    const raw = lines('From: a@example.com', 'Subject: hostile', `MIME-Version: 1.0\r\n${deep}\r\ndeep inside`);
    await t.sendSmtp({ to: ada.address, raw });
    const message = await newest(ada);
    assert.equal(message.subject, 'hostile');
    assert.ok(message.parsed === false || message.problem !== null, JSON.stringify(message.problem));
    const { bytes } = await rawOf(t, ada, message.message_id);
    assert.ok(bytes.includes(raw.trimEnd()));
    t.clock.advance(1000);
    await t.sendSmtp({ to: ada.address, raw: Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0xc3, 0x28, 0x0d, 0x0a]) });
    assert.equal((await messagesOf(ada)).length, 2);
    assert.equal((await newest(ada)).from, 'ada@example.com');
  });

  it('to two of our addresses is stored once and shown in each inbox', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await t.sendSmtp({ to: [ada.address, bob.address.toUpperCase(), bob.address], subject: 'copies', text: 'x' });
    for (const each of [ada, bob]) assert.equal((await messagesOf(each)).length, 1);
    const contents = await t.sql(`select distinct content_id from messages where subject = 'copies'`);
    assert.equal(contents.length, 1);
    const { bytes } = await rawOf(t, ada, (await newest(ada)).message_id);
    // A recipient in the Received header would be disclosed to the other one.
    assert.ok(!bytes.subarray(0, bytes.indexOf('From:')).includes('for <'));
  });
});

onEngines('any', 'recipients by SMTP', {}, (suite) => {
  const refusalOf = async (t: TestApp, to: string): Promise<[number, string]> => {
    const err = await t.sendSmtp({ to, text: 'x' }).then(
      () => null,
      (reason: unknown) => reason as { responseCode: number; command: string },
    );
    return [err?.responseCode ?? 250, err?.command ?? ''];
  };

  it('are refused with 550 at RCPT: an unclaimed address, another domain, a suspended account', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    assert.deepEqual(await refusalOf(t, 'nobody@agents.localhost'), [550, 'RCPT TO']);
    assert.deepEqual(await refusalOf(t, 'someone@example.com'), [550, 'RCPT TO']);
    assert.deepEqual(await refusalOf(t, ada.address), [250, '']);
    await suspend(t, ada.accountId);
    assert.deepEqual(await refusalOf(t, ada.address), [550, 'RCPT TO']);
  });

  it('are refused with 550 at RCPT and get no internal mail if their platform is suspended', async () => {
    const { t } = suite;
    const [platform, ada] = [await createAgent(t), await createAgent(t)];
    const pod = await makePod(t, platform);
    const { address } = (await pod.api.post('/v1/email/claim', { address: `intake-${names++}` })).body;
    assert.deepEqual(await refusalOf(t, address), [250, '']);
    await suspend(t, platform.accountId);
    assert.deepEqual(await refusalOf(t, address), [550, 'RCPT TO']);
    const mail = { from: ada.address, to: address, subject: 'x', text: 'x' };
    assert.equal((await ada.api.post('/v1/email/send', mail)).body.status, 'failed');
  });

  it('get the mail even if another recipient is unknown', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ['nobody@agents.localhost', ada.address], subject: 'half', text: 'x' });
    assert.equal((await newest(ada)).subject, 'half');
    assert.equal((await t.sql(`select id from messages where subject = 'half'`)).length, 1);
  });

  it('are found in upper and lower case', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address.toUpperCase(), subject: 'LOUD', text: 'x' });
    assert.equal((await newest(ada)).subject, 'LOUD');
  });
});

describe('a stop of the service', () => {
  it('ends the recovery of unparsed mail before it waits for running jobs', async () => {
    const t = await startTestApp('sqlite');
    const { worker, provided } = t.app;
    const stopped: string[] = [];
    for (const [name, part] of Object.entries({ intake: provided.intake, worker })) {
      const stop = part.stop.bind(part);
      part.stop = async () => {
        await stop();
        stopped.push(name);
      };
    }
    await t.stop();
    assert.deepEqual(stopped, ['intake', 'worker']);
  });
});
