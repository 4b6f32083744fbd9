import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { MimeParser } from '../reading/mime-parser.ts';
import { composeMail, HeaderInjectionError, newMessageId } from './compose.ts';
import type { OutgoingMail } from './outgoing-mail.ts';

// The deadline counts the start of the thread, which takes long on a busy machine.
const parser = new MimeParser({ deadlineMs: 60_000 });
after(() => parser.close());

const BASE: OutgoingMail = {
  from: { address: 'agent@agents.example', name: 'Agent' },
  to: ['eve@out.example'],
  subject: 'hi',
  text: 'hello',
  messageId: '<m1@agents.example>',
  date: new Date(Date.UTC(2026, 0, 31, 12)),
};

describe('composeMail', () => {
  it('round-trips through the parser', async () => {
    const raw = await composeMail({
      ...BASE,
      from: { address: 'agent@agents.example', name: 'Jürgen "J", Müller' },
      to: ['eve@out.example', 'o.neil@sub.out.example'],
      cc: ['c@out.example'],
      bcc: ['hidden@out.example'],
      replyTo: 'r@agents.example',
      subject: 'Grüße 😀, the long subject that has to be folded because no line may be that long, really not',
      text: 'Schöne Grüße\n.\n..\nFrom me\n😀\n',
      html: '<p>Schöne Grüße</p>',
      inReplyTo: 'm0@out.example',
      references: ['<r@out.example>', 'm0@out.example'],
      attachments: [
        { filename: 'Übersicht "1".pdf', contentType: 'application/pdf', content: new Uint8Array([0, 13, 10, 255]) },
        { filename: 'x.txt', contentType: 'text/plain', content: Buffer.from('plain\n') },
        { filename: 'logo.png', contentType: 'image/png', content: Buffer.from('PNG'), contentId: 'logo@x' },
      ],
      autoSubmitted: 'auto-generated',
    });
    const mail = await parser.parse(raw);
    assert.equal(mail.problem, null);
    assert.deepEqual(mail.from, { address: 'agent@agents.example', name: 'Jürgen "J", Müller' });
    assert.deepEqual(
      mail.to.map((to) => to.address),
      ['eve@out.example', 'o.neil@sub.out.example'],
    );
    assert.deepEqual(
      mail.cc.map((cc) => cc.address),
      ['c@out.example'],
    );
    assert.deepEqual(
      mail.replyTo.map((to) => to.address),
      ['r@agents.example'],
    );
    assert.match(mail.subject, /^Grüße 😀, the long subject .* really not$/);
    assert.equal(mail.text.trimEnd(), 'Schöne Grüße\n.\n..\nFrom me\n😀');
    assert.equal(mail.html?.trim(), '<p>Schöne Grüße</p>');
    assert.deepEqual([mail.rfcMessageId, mail.inReplyTo], ['<m1@agents.example>', '<m0@out.example>']);
    assert.deepEqual(mail.references, ['<r@out.example>', '<m0@out.example>']);
    assert.equal(mail.date, '2026-01-31T12:00:00.000Z');
    assert.equal(mail.autoSubmitted, true);
    const found = mail.attachments.map((part) => [
      part.filename,
      part.contentType,
      Buffer.from(part.content).toString('latin1'),
      part.contentId,
    ]);
    assert.deepEqual(found.sort(), [
      ['logo.png', 'image/png', 'PNG', 'logo@x'],
      ['x.txt', 'text/plain', 'plain\n', null],
      ['Übersicht "1".pdf', 'application/pdf', '\0\r\n\xff', null],
    ]);
  });

  it('is ASCII with CRLF line ends and short header lines for any input', async () => {
    const raw = (
      await composeMail({
        ...BASE,
        subject: 'ü'.repeat(300),
        text: 'a\nb\rc\r\nd\0é\ud800\n',
        html: '<p>\n</p>',
        cc: ['a@ü.example'],
      })
    ).toString('latin1');
    assert.ok([...raw].every((character) => character.charCodeAt(0) < 0x80));
    assert.equal(raw.replaceAll('\r\n', '').search(/[\r\n\0]/), -1);
    for (const line of raw.split('\r\n')) assert.ok(line.length <= 998);
    assert.match(raw, /^Subject: =\?UTF-8\?/m);
    assert.match(raw, /^Cc: a@xn--tda\.example\r$/m);
  });

  it('writes the same bytes as the library for plain mail, whether it uses the library or not', async () => {
    const word = fc.stringMatching(/^[ -~]{1,12}$/);
    const address = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,12}@[a-z0-9]{1,9}(?:[.-][a-z0-9]{1,9}){0,4}$/);
    const id = fc.stringMatching(/^<[A-Za-z0-9._+-]{1,20}@[a-z0-9.-]{1,20}>$/);
    const mails = fc.record({
      from: fc.record({
        address,
        name: fc.oneof(fc.constant(''), fc.stringMatching(/^[\w.,-]{1,9}(?: \w{1,9}){0,2}$/)),
      }),
      to: fc.array(address, { maxLength: 2 }),
      cc: fc.array(address, { maxLength: 2 }),
      subject: fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
      lines: fc.array(fc.stringMatching(/^[\t -~]{0,76}$/), { maxLength: 4 }),
      references: fc.array(id, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(mails, async ({ lines, ...given }) => {
        const text = lines.join('\r\n');
        const named = (addresses: string[]) => addresses.map((each) => ({ address: each, name: '' }));
        const library = new MailComposer({
          ...given,
          to: named(given.to),
          cc: named(given.cc),
          messageId: BASE.messageId,
          date: BASE.date,
          text: text === '' ? '' : { content: text, contentTransferEncoding: '7bit' },
          newline: 'win',
        });
        const ours = await composeMail({ ...BASE, ...given, text });
        assert.equal(ours.toString('latin1'), (await library.compile().build()).toString('latin1'));
      }),
      // The same mails in every run.
      { numRuns: 300, seed: 5322 },
    );
  });

  it('does not encode ASCII in lines of up to 998 characters, in any part: links can be read in the raw mail', async () => {
    const [link, long] = [`https://id.example/${'x'.repeat(900)}`, 'y'.repeat(999)];
    const file = { filename: 'a.bin', contentType: 'a/b', content: new Uint8Array(3) };
    for (const more of [{}, { html: `<a href="${link}">go</a>` }, { attachments: [file] }]) {
      const raw = (await composeMail({ ...BASE, ...more, text: `Open\n${link}\n` })).toString();
      assert.ok(raw.includes(`\r\n${link}\r\n`));
      assert.match(raw, /^Content-Transfer-Encoding: 7bit\r$/m);
      assert.doesNotMatch(raw, /quoted-printable/);
    }
    const encoded = (await composeMail({ ...BASE, text: long })).toString();
    assert.ok(encoded.split('\r\n').every((line) => line.length <= 998));
  });

  it('never writes a Bcc recipient', async () => {
    const raw = (await composeMail({ ...BASE, bcc: ['hidden@out.example'] })).toString();
    assert.doesNotMatch(raw, /hidden|^bcc:/im);
  });

  it('accepts an empty text and no recipients', async () => {
    const mail = await parser.parse(await composeMail({ ...BASE, to: [], text: '' }));
    assert.deepEqual([mail.text.trim(), mail.to], ['', []]);
  });

  it('can attach a message and an empty file', async () => {
    const inner = await composeMail({ ...BASE, subject: 'inner' });
    const raw = await composeMail({
      ...BASE,
      attachments: [
        { filename: 'inner.eml', contentType: 'message/rfc822', content: inner },
        { filename: 'empty.bin', contentType: 'a/b', content: new Uint8Array() },
      ],
    });
    const [message, empty] = (await parser.parse(raw)).attachments;
    assert.deepEqual([message?.filename, message?.contentType], ['inner.eml', 'message/rfc822']);
    assert.match(Buffer.from(message?.content ?? []).toString(), /^Subject: inner\r?$/m);
    assert.deepEqual([empty?.filename, empty?.size], ['empty.bin', 0]);
  });

  it('never reads a file or URL named in the input', async () => {
    const attachment = {
      filename: 'x',
      contentType: 'text/plain',
      content: Buffer.from('x'),
      path: '/etc/passwd',
      href: 'http://127.0.0.1/',
    };
    const raw = (await composeMail({ ...BASE, attachments: [attachment] })).toString();
    assert.match(raw, /\r\n\r\neA==\r\n/);
    assert.doesNotMatch(raw, /passwd/);
  });

  const injections: readonly (readonly [string, Partial<OutgoingMail>])[] = [];
  const cases = injections as (readonly [string, Partial<OutgoingMail>])[];
  for (const bad of ['x\r\nBcc: evil@x.example', 'x\nBcc: evil@x.example', 'x\rBcc: evil', 'x\0']) {
    cases.push(['subject', { subject: bad }], ['from', { from: { address: 'a@x.example', name: bad } }]);
    cases.push(
      ['from', { from: { address: `${bad}@x.example` } }],
      ['replyTo', { replyTo: bad }],
      ['messageId', { messageId: bad }],
    );
    for (const field of ['to', 'cc', 'bcc'] as const) cases.push([field, { [field]: ['ok@x.example', bad] }]);
    cases.push(['inReplyTo', { inReplyTo: bad }], ['references', { references: ['<ok@x>', bad] }]);
    const part = { filename: 'x', contentType: 'a/b', content: new Uint8Array() };
    cases.push(['attachments.filename', { attachments: [{ ...part, filename: bad }] }]);
    cases.push(['attachments.contentType', { attachments: [{ ...part, contentType: bad }] }]);
    cases.push(['attachments.contentId', { attachments: [{ ...part, contentId: bad }] }]);
  }
  for (const two of [
    'a@x.example, b@x.example',
    'a@x.example;b@x.example',
    'A <a@x.example>',
    'team:a@x.example',
    '"a"@x.example',
    '(c)a@x.example',
  ]) {
    cases.push(['to', { to: [two] }], ['replyTo', { replyTo: two }]);
  }
  cases.push(['references', { references: ['<a@x> <b@x>'] }], ['messageId', { messageId: '<a><b>' }]);
  for (const [field, change] of cases) {
    it(`refuses ${field}: ${JSON.stringify(change)}`, async () => {
      await assert.rejects(
        composeMail({ ...BASE, ...change }),
        (err) => err instanceof HeaderInjectionError && err.field === field,
      );
    });
  }
});

describe('newMessageId', () => {
  it('makes an id in angle brackets and refuses invalid parts', () => {
    assert.equal(newMessageId('Ab1._-', 'agents.example'), '<Ab1._-@agents.example>');
    for (const [random, domain] of [
      ['a b', 'x'],
      ['', 'x'],
      ['a>', 'x'],
      ['a', 'x\r\nBcc: y'],
      ['a', ''],
    ] as const) {
      assert.throws(() => newMessageId(random, domain), HeaderInjectionError);
    }
  });
});
