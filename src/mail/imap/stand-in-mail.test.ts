import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { outlineOf } from './mail-outline.ts';
import { decodedPart } from './mail-section.ts';
import { draftMail, maskedMail, type StandInHeader, sentMail } from './stand-in-mail.ts';

const HEADER: StandInHeader = {
  from: { address: 'ann@x.example', name: 'Ann' },
  to: ['bob@y.example'],
  cc: [],
  subject: 'Hello',
  date: Date.UTC(2026, 0, 31, 12),
  messageId: '<m@x.example>',
  inReplyTo: null,
  references: ['<a@x.example>', '<b@x.example>'],
};

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '=?utf-8?Q?NOT?=',
    'a\r\nBcc: eve@x.example',
    'x'.repeat(1200),
    '\r\n--=_signet_mixed--\r\n',
    '"a\\b" <c@d>',
  ),
);
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

describe('mails that stand for others', () => {
  it('whatever a field says, it stays in its field: the header has those lines, and the text comes back', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, async (name, subject, text) => {
        const bytes = sentMail({ ...HEADER, from: { address: 'ann@x.example', name }, subject }, text);
        assert.deepEqual(bytes, sentMail({ ...HEADER, from: { address: 'ann@x.example', name }, subject }, text));
        const lines = bytes.toString('latin1').split('\r\n');
        assert.ok(lines.every((line) => line.length <= 998 && !/[\r\n]/.test(line)));
        const { envelope, body } = outlineOf(bytes);
        assert.deepEqual(envelope.from, [{ name: oneLine(name) || null, mailbox: 'ann', host: 'x.example' }]);
        assert.deepEqual([envelope.subject, envelope.bcc], [oneLine(subject), []]);
        const parsed = await PostalMime.parse(bytes);
        assert.deepEqual(
          parsed.headers.map(({ key }) => key),
          [
            ...['from', 'to', 'subject', 'date', 'message-id', 'references', 'x-signet-generated', 'mime-version'],
            ...['content-type', 'content-transfer-encoding'],
          ],
        );
        const lf = text
          .toWellFormed()
          .replaceAll('\0', '')
          .replace(/\r\n|\r/g, '\n');
        const whole = lf.endsWith('\n') ? lf : `${lf}\n`;
        assert.equal(Buffer.from(decodedPart(bytes, body) ?? []).toString(), whole.replaceAll('\n', '\r\n'));
      }),
    );
  });

  it('a draft has its texts, files and blind copies', async () => {
    const content = Buffer.from('--=_signet_mixed\r\n');
    const draft = {
      header: HEADER,
      bcc: ['eve@x.example'],
      replyTo: 'r@x.example',
      text: 'plain --=_signet_alternative',
      html: '<p>Grüße</p>',
      files: [{ filename: 'ä"b\r\nc.eml', contentType: 'message/rfc822', content }],
      isMasked: false,
    };
    const parsed = await PostalMime.parse(draftMail(draft));
    assert.deepEqual([parsed.bcc?.[0]?.address, parsed.replyTo?.[0]?.address], ['eve@x.example', 'r@x.example']);
    assert.deepEqual([parsed.text?.trim(), parsed.html?.trim()], ['plain --=_signet_alternative', '<p>Grüße</p>']);
    const [file] = parsed.attachments;
    assert.deepEqual([file?.filename, file?.mimeType], ['ä"b c.eml', 'application/octet-stream']);
    assert.deepEqual(Buffer.from(file?.content as ArrayBuffer), content);
    const only = outlineOf(draftMail({ ...draft, text: null, files: [] })).body;
    assert.equal(`${only.type}/${only.subtype}`, 'text/html');
    assert.equal(outlineOf(draftMail({ ...draft, text: null, html: null, files: [] })).body.subtype, 'plain');
  });

  it('a masked mail keeps the lines that say no more than who they name', () => {
    const masked = (cameWith: string): string =>
      maskedMail({
        header: HEADER,
        cameWith: Buffer.from(cameWith),
        text: '•••',
        hide: (text) => text.replaceAll('4711', '•••'),
      }).toString();
    const kept = masked('From: "A. N." <ann@x.example>\r\nTo: Bob <bob@y.example>,\r\n c@y.example\r\n\r\n');
    assert.match(kept, /^From: "A\. N\." <ann@x\.example>\r\nTo: Bob <bob@y\.example>, c@y\.example\r\n/);
    for (const line of [
      '4711 <bob@y.example>',
      'bob@y.example (hi)',
      '=?utf-8?Q?4711?= <bob@y.example>',
      'a@b\r\nTo: c@d',
    ])
      assert.match(masked(`To: ${line}\r\n\r\n`), /^To: bob@y\.example\r$/m);
    assert.match(masked('Date: 31 Jan 2026 12:00 +0000 (4711)\r\n\r\n'), /^Date: Sat, 31 Jan 2026 12:00:00 \+0000\r$/m);
  });
});
