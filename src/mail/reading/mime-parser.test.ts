import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { MimeParser } from './mime-parser.ts';

// The deadline counts the start of the thread, which takes long on a busy machine.
const parser = new MimeParser({ deadlineMs: 60_000 });
after(() => parser.close());

const parse = (text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<ParsedMail> =>
  parser.parse(Buffer.from(text, encoding));
const HEAD =
  'From: Eve <eve@out.example>\r\nTo: agent@agents.example\r\nSubject: hi\r\nMessage-ID: <m1@out.example>\r\n';

describe('MIME parser: ordinary mail', () => {
  it('plain text with every header', async () => {
    const mail = await parse(
      'Received: by a\r\nReceived: by b\r\nFrom: "Eve E." <Eve@Out.example>\r\nTo: a@x.example, "B, b" <b@x.example>\r\n' +
        'Cc: Team: c@x.example, d@x.example;\r\nReply-To: r@x.example\r\nSubject: one\r\n two\r\nMessage-ID:\r\n <m1@out.example>\r\n' +
        'In-Reply-To: <m0@x.example> (said Bob)\r\nReferences: <r@x.example>\r\n <m0@x.example>\r\n' +
        'Date: Fri, 30 Jan 2026 13:00:00 +0100 (CET)\r\nAuto-Submitted: auto-replied\r\n\r\nHello\r\nthere\r\n',
    );
    assert.deepEqual(mail, {
      parsed: true,
      problem: null,
      rfcMessageId: '<m1@out.example>',
      from: { address: 'Eve@Out.example', name: 'Eve E.' },
      to: [
        { address: 'a@x.example', name: '' },
        { address: 'b@x.example', name: 'B, b' },
      ],
      cc: [
        { address: 'c@x.example', name: '' },
        { address: 'd@x.example', name: '' },
      ],
      bcc: [],
      replyTo: [{ address: 'r@x.example', name: '' }],
      subject: 'one two',
      date: '2026-01-30T12:00:00.000Z',
      inReplyTo: '<m0@x.example>',
      references: ['<r@x.example>', '<m0@x.example>'],
      text: 'Hello\nthere\n',
      hasPlainText: true,
      html: null,
      attachments: [],
      visibleText: null,
      findings: {
        code: null,
        provenCode: null,
        links: [],
        signals: mail.findings?.signals,
        hidden: { text: '', chars: 0 },
      },
      autoSubmitted: true,
      receivedCount: 2,
    });
  });

  it('multipart/alternative: both bodies, with the text only once', async () => {
    const mail = await parse(
      `${HEAD}Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain\r\n` +
        '--b\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b--\r\n',
    );
    assert.equal(mail.text.trim(), 'plain');
    assert.equal(mail.html?.trim(), '<p>rich</p>');
    assert.equal(mail.problem, null);
  });

  it('HTML only: text is derived from it, without scripts, styles and comments, but with link targets', async () => {
    const mail = await parse(
      `${HEAD}Content-Type: text/html; charset=utf-8\r\n\r\n<style>p{color:red}</style><script>alert(1)</script><!-- no -->` +
        '<p>Hello &amp; <a href="https://x.example/verify?t=1">verify</a></p><p>Bye</p>',
    );
    assert.equal(mail.text, 'Hello & verify (https://x.example/verify?t=1)\n\nBye');
  });

  it('a list footer after an HTML body: no style sheet ends up in the text', async () => {
    const mail = await parse(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<style>x{}</style><p>Body</p>\r\n` +
        '--b\r\nContent-Type: text/plain\r\n\r\nfooter\r\n--b--\r\n',
    );
    assert.equal(mail.text.trim(), 'Body\nfooter');
    assert.match(mail.html ?? '', /<p>Body<\/p>/);
  });

  it('attachments: decoded bytes, safe names, and the Content-ID of inline ones', async () => {
    const mail = await parse(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nbody\r\n` +
        '--b\r\nContent-Type: Application/PDF; name="x"\r\nContent-Transfer-Encoding: base64\r\n' +
        "Content-Disposition: attachment; filename*=utf-8''..%2F..%2Fr%C3%A9sum%C3%A9%E2%80%AE.pdf\r\n\r\nAAECAwQ=\r\n" +
        '--b\r\nContent-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Disposition: inline\r\n\r\nPNG\r\n' +
        '--b\r\nContent-Type: text\r\nContent-Disposition: attachment\r\n\r\n?\r\n' +
        '--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: x@y.example\r\nSubject: inner\r\n\r\nINNER WORDS\r\n--b--\r\n',
    );
    assert.equal(mail.text.trim(), 'body', 'the words of a forwarded message are not the words of this one');
    const [pdf, png, odd, inner] = mail.attachments;
    assert.ok(pdf && png && odd && inner);
    assert.equal(mail.attachments.length, 4);
    assert.deepEqual([...pdf.content], [0, 1, 2, 3, 4]);
    assert.deepEqual(
      [pdf.filename, pdf.contentType, pdf.size, pdf.disposition],
      ['résumé.pdf', 'application/pdf', 5, 'attachment'],
    );
    assert.deepEqual([png.contentId, png.disposition, png.filename], ['logo@x', 'inline', 'attachment-2']);
    assert.equal(odd.contentType, 'application/octet-stream');
    assert.deepEqual([inner.contentType, inner.filename], ['message/rfc822', 'attachment-4.eml']);
    assert.match(Buffer.from(inner.content).toString(), /INNER WORDS/);
  });

  it('RFC 2047 subjects and names, quoted-printable, charsets', async () => {
    const mail = await parse(
      'From: =?ISO-8859-1?Q?J=FCrgen?= <j@out.example>\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?= =?utf-8?q?_aus_Wien?=\r\n' +
        'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSch=F6n',
    );
    assert.equal(mail.subject, 'Grüße aus Wien');
    assert.deepEqual(mail.from, { address: 'j@out.example', name: 'Jürgen' });
    assert.equal(mail.text.trim(), 'Schön');
  });
});

describe('MIME parser: base64 bodies', () => {
  const attached = async (lines: string): Promise<ParsedMail> =>
    parse(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/octet-stream\r\n` +
        `Content-Transfer-Encoding: base64\r\n\r\n${lines}\r\n--b--\r\n`,
    );

  it('lines of any length, each padded or none, and characters that do not belong there', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7919) % 256));
    const text = bytes.toString('base64');
    const padded = Array.from({ length: 100 }, (_, i) => bytes.subarray(10 * i, 10 * i + 10).toString('base64'));
    const forms = [
      text,
      text.replace(/.{76}/g, '$&\r\n'),
      text.replace(/.{3}/g, '$&\n'),
      text.replace(/.{7}/g, '$& *\t\r\n--\r\n'),
      padded.join('\r\n'),
      padded.join(''),
      `-${text}`,
      `--x==\r\n--\r\n-\r\n${text}`.replace('x==', '**'),
      `-${text.slice(0, 76)}\r\n${text.slice(76)}`,
    ];
    for (const form of forms) {
      const { attachments, problem } = await attached(form);
      assert.deepEqual([attachments.length, problem], [1, null]);
      assert.deepEqual(Buffer.from(attachments[0]?.content ?? []), bytes, form.slice(0, 40));
    }
  });

  it('24 MB in lines of three bytes are read whole; what is padded a million times is cut', async () => {
    const whole = await attached('QUJD\n'.repeat(4_800_000));
    assert.deepEqual([whole.attachments[0]?.size, whole.problem], [14_400_000, null]);
    const cut = await attached('QQ=='.repeat(6_000_000));
    assert.deepEqual([cut.parsed, cut.problem], [true, 'too_many_lines']);
  });
});

describe('MIME parser: text that could harm a database or a reader', () => {
  it('no NUL, no lone surrogate, no line break in a header value', async () => {
    // A UTF-16 body can hold both.
    const body = Buffer.from('a\ud800b\0c\udc00', 'utf16le').toString('base64');
    const mail = await parse(
      `From: "x\0y" <e@out.example>\r\nTo: a@x.example\r\nSubject: a\0b =?utf-8?B?${Buffer.from('x\r\nBcc: evil\0').toString('base64')}?=\r\n` +
        `Message-ID: <a\0b@x>\r\nContent-Type: text/plain; charset=utf-16le\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`,
    );
    const { attachments, ...texts } = mail;
    assert.equal(attachments.length, 0);
    assert.doesNotMatch(JSON.stringify(texts), /\\u0000|\\ud800|\\udc00/);
    assert.equal(mail.subject, 'a b x Bcc: evil');
    assert.match(mail.text, /^a.b.?c.$/su);
  });

  it('8-bit junk is read without complaint', async () => {
    const junk = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 7)) % 256));
    const mail = await parser.parse(Buffer.concat([Buffer.from(`${HEAD}\r\n`), junk]));
    assert.equal(mail.parsed, true);
    assert.equal(mail.from?.address, 'eve@out.example');
    const bare = await parser.parse(junk);
    assert.equal(bare.from, null);
    for (const raw of ['', '\r\n', '\n\n', ':', 'no header at all']) assert.equal((await parse(raw)).subject, '');
  });

  it('uses the first From and flags a second one', async () => {
    const mail = await parse('From: a@x.example\r\nFrom: boss@agents.example\r\n\r\nhi');
    assert.equal(mail.from?.address, 'a@x.example');
    assert.equal(mail.problem, 'duplicate_from');
  });

  it('a date without a zone is UTC, an unreadable one is null', async () => {
    assert.equal((await parse('Date: 30 Jan 2026 12:00:00\r\n\r\n')).date, '2026-01-30T12:00:00.000Z');
    assert.equal((await parse('Date: 30 Jan 2026 12:00:00 GMT\r\n\r\n')).date, '2026-01-30T12:00:00.000Z');
    assert.equal((await parse('Date: tomorrow\r\n\r\n')).date, null);
    assert.equal((await parse('Date: Fri, 01 Jan 99999 00:00:00 +0000\r\n\r\n')).date, null);
  });

  it('limits addresses, references, subject, text and HTML, and reports what was cut', async () => {
    const mail = await parse(
      `To: ${Array.from({ length: 300 }, (_, i) => `a${i}@x.example`).join(',\r\n ')}\r\n` +
        `References: ${Array.from({ length: 300 }, (_, i) => `<r${i}@x>`).join('\r\n ')}\r\nSubject: ${'\u{1F600}'.repeat(3000)}\r\n` +
        `Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\n${'é'.repeat(700_000)}\r\n` +
        `--b\r\nContent-Type: text/html\r\n\r\n${'<p>x</p>'.repeat(200_000)}\r\n--b--`,
    );
    assert.equal(mail.to.length, 100);
    assert.equal(mail.references.length, 100);
    assert.deepEqual([mail.references[0], mail.references[1], mail.references[99]], ['<r0@x>', '<r201@x>', '<r299@x>']);
    assert.equal(mail.subject, '\u{1F600}'.repeat(499));
    assert.equal(Buffer.byteLength(mail.text), 1_048_576);
    assert.equal(mail.text, 'é'.repeat(524_288));
    assert.equal(Buffer.byteLength(mail.html ?? ''), 1_048_576);
    assert.deepEqual(mail.problem?.split(',').sort(), [
      'html_truncated',
      'subject_truncated',
      'text_truncated',
      'too_many_addresses',
      'too_many_references',
    ]);
  });
});
