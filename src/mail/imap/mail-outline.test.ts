import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOSTILE_MAILS } from '../../../test/corpus/hostile-mails.ts';
import type { ImapPart } from './imap-store.ts';
import { DEPTH_MAX, outlineOf, PARTS_MAX } from './mail-outline.ts';
import { packOutline, unpackOutline } from './mail-outline-packed.ts';
import { sectionOf } from './mail-section.ts';

const mail = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const typesOf = ({ type, subtype, parts, message }: ImapPart): unknown =>
  message ? [`${type}/${subtype}`, typesOf(message.body)] : [`${type}/${subtype}`, ...parts.map(typesOf)];
const allOf = (part: ImapPart): ImapPart[] => [
  part,
  ...part.parts.flatMap(allOf),
  ...(part.message ? allOf(part.message.body) : []),
];
const depthOf = (part: ImapPart): number =>
  1 + Math.max(0, ...part.parts.map(depthOf), part.message ? depthOf(part.message.body) : 0);

/** Every part lies in its bytes and in the part around it, behind the one before. */
function assertPlaces(part: ImapPart, end: number): void {
  const { headerAt, bodyAt, endAt, parts, message } = part;
  assert.ok(0 <= headerAt && headerAt <= bodyAt && bodyAt <= endAt && endAt <= end, `${headerAt} ${bodyAt} ${endAt}`);
  let from = bodyAt;
  for (const each of parts) {
    assert.ok(each.headerAt >= from);
    assertPlaces(each, endAt);
    from = each.endAt;
  }
  if (message) {
    assert.deepEqual([message.body.headerAt, message.body.endAt], [bodyAt, endAt]);
    assertPlaces(message.body, endAt);
  }
  if (part.type === 'multipart') assert.ok(parts.length > 0);
}

describe('the outline of a mail', () => {
  it('decodes words, raw UTF-8 and Latin-1, folded lines, comments and groups', () => {
    const { envelope } = outlineOf(
      mail(
        'From: =?utf-8?Q?J=C3=B6rg?= <joerg@x.example>',
        'To: "Doe, Ann" <ann@y.example>, Team: bob@z.example, =?iso-8859-1?Q?Ren=E9?= <r@z.example>;,',
        ' eve@z.example (Eve)',
        `Cc: ${Buffer.from('Zoë').toString('latin1')} <zoe@x.example>`,
        'Subject: =?utf-8?B?R3LDvMOf?=',
        '\t=?utf-8?B?ZQ==?= \xe9',
        'Date:  Fri, 27 Nov 2026 00:03:59 +0000 (UTC) ',
        'Message-ID: <odd id@[x]>',
        '',
        'x',
      ),
    );
    const person = (name: string | null, mailbox: string, host: string) => ({ name, mailbox, host });
    const joerg = [person('Jörg', 'joerg', 'x.example')];
    assert.deepEqual([envelope.from, envelope.sender, envelope.replyTo], [joerg, joerg, joerg]);
    assert.deepEqual(envelope.to, [
      person('Doe, Ann', 'ann', 'y.example'),
      { name: null, mailbox: 'Team', host: null },
      person(null, 'bob', 'z.example'),
      person('René', 'r', 'z.example'),
      { name: null, mailbox: null, host: null },
      person('Eve', 'eve', 'z.example'),
    ]);
    assert.deepEqual(envelope.cc, [person('Zoë', 'zoe', 'x.example')]);
    assert.equal(envelope.subject, 'Grüße é');
    assert.equal(envelope.date, 'Fri, 27 Nov 2026 00:03:59 +0000 (UTC)');
    assert.deepEqual([envelope.messageId, envelope.inReplyTo], ['<odd id@[x]>', null]);
  });

  it('a subject that is empty differs from one that is missing; the first From counts, and a CR alone ends no line', () => {
    assert.equal(outlineOf(mail('Subject:', '', '')).envelope.subject, '');
    assert.equal(outlineOf(mail('X: y', '', '')).envelope.subject, null);
    const two = outlineOf(mail('From: a@x.example', 'From: b@x.example', 'X: y\rSubject: no', '', '')).envelope;
    assert.deepEqual([two.from.map(({ mailbox }) => mailbox), two.subject], [['a'], null]);
  });

  it('describes parts: types, parameters, dispositions, lines, and messages in messages', () => {
    const bytes = mail(
      'Content-Type: multipart/mixed; boundary="b b" (comment)',
      '',
      'before',
      '--b b',
      'Content-Type: TEXT/Plain; charset=utf-8; format=flowed',
      'Content-ID: <one@x>',
      'Content-Description: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Content-Language: de, en',
      '',
      'one',
      'two',
      '',
      '--b b  ',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'text',
      '--b b',
      "Content-Type: application/pdf; name*0*=utf-8''%C3%A4; name*1=b.pdf",
      'Content-Transfer-Encoding: BASE64',
      'Content-Disposition: Attachment; filename="a \\"b\\".pdf"',
      '',
      'AAAA',
      '--b b--',
      'after',
    );
    const { body } = outlineOf(bytes);
    assertPlaces(body, bytes.length);
    assert.deepEqual(typesOf(body), [
      'multipart/mixed',
      ['text/plain'],
      ['message/rfc822', ['text/plain']],
      ['application/pdf'],
    ]);
    const [text, inner, file] = body.parts as [ImapPart, ImapPart, ImapPart];
    assert.deepEqual(text.params, [
      ['charset', 'utf-8'],
      ['format', 'flowed'],
    ]);
    assert.deepEqual(
      [text.id, text.description, text.language, text.lines, text.encoding],
      ['<one@x>', 'Grüße', ['de', 'en'], 2, '7bit'],
    );
    assert.deepEqual([inner.message?.envelope.subject, inner.lines], ['inner', 2]);
    assert.deepEqual(file.params, [['name', 'äb.pdf']]);
    assert.deepEqual(file.disposition, { type: 'attachment', params: [['filename', 'a "b".pdf']] });
    assert.deepEqual([file.encoding, file.lines], ['base64', 0]);
  });

  it('takes bare line feeds, no header, no boundary, an end that is missing, and a digest', () => {
    const lf = Buffer.from('Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo');
    const { body } = outlineOf(lf);
    assert.deepEqual(
      body.parts.map(({ bodyAt, endAt }) => lf.toString('latin1', bodyAt, endAt)),
      ['one', 'two'],
    );
    assert.deepEqual(typesOf(outlineOf(Buffer.from('\r\nx')).body), ['text/plain']);
    assert.deepEqual(typesOf(outlineOf(mail('Content-Type: multipart/mixed', '', 'x')).body), [
      'multipart/mixed',
      ['text/plain'],
    ]);
    const digest = mail('Content-Type: multipart/digest; boundary=b', '', '--b', '', 'Subject: in', '', 'x', '--b--');
    assert.deepEqual(typesOf(outlineOf(digest).body), ['multipart/digest', ['message/rfc822', ['text/plain']]]);
    assert.deepEqual(typesOf(outlineOf(mail('Content-Type: nonsense', '', 'x')).body), ['text/plain']);
  });

  it('reads about a megabyte of the headers of all parts, and knows a boundary of dashes', () => {
    const subject = (n: number): string => `Subject: ${n} ${'x'.repeat(60_000)}\r\n\r\ntext\r\n`;
    const parts = Array.from({ length: 40 }, (_, n) => `--b\r\n\r\n${subject(n)}`).join('');
    const { body } = outlineOf(Buffer.from(`Content-Type: multipart/digest; boundary=b\r\n\r\n${parts}--b--`));
    const subjects = body.parts.map(({ message }) => message?.envelope.subject?.split(' ', 1)[0] ?? null);
    assert.equal(subjects.length, 40);
    assert.deepEqual(subjects.slice(0, 16), [...Array(16).keys()].map(String));
    assert.deepEqual(subjects.slice(18), Array(22).fill(null));
    const dashes = Buffer.from(
      'Content-Type: multipart/mixed; boundary="--"\r\n\r\n----\r\n\r\n-----a\r\n----\r\n\r\nb\r\n------',
    );
    assert.deepEqual(
      outlineOf(dashes).body.parts.map(({ bodyAt, endAt }) => dashes.toString('latin1', bodyAt, endAt)),
      ['-----a', 'b'],
    );
  });

  it('is bounded in depth, parts and addresses', () => {
    const nested = 'Content-Type: message/rfc822\r\n\r\n'.repeat(200);
    assert.ok(depthOf(outlineOf(Buffer.from(nested)).body) <= DEPTH_MAX + 2);
    const many = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(2000)}--b--`;
    assert.equal(outlineOf(Buffer.from(many)).body.parts.length, PARTS_MAX);
    const { to, cc } = outlineOf(mail(`To: ${'a@b,'.repeat(900)}`, `Cc: ${'a@b,'.repeat(900)}`, '', '')).envelope;
    assert.deepEqual([to.length, cc.length], [900, 100]);
  });

  for (const { what, raw } of HOSTILE_MAILS)
    it(`places every part: ${what}`, () => {
      const bytes = Buffer.from(raw(), 'latin1');
      const outline = outlineOf(bytes);
      assertPlaces(outline.body, bytes.length);
      assert.ok(allOf(outline.body).length <= 2 * PARTS_MAX + 2);
      const text = JSON.stringify(packOutline(outline));
      assert.ok(text.isWellFormed() && !text.includes('\\u0000'));
      assert.deepEqual(unpackOutline(JSON.parse(text)), outline);
    });

  const LINES = [
    ...['Content-Type: multipart/mixed; boundary=b', 'Content-Type: multipart/alternative; boundary="c"', '--b', '--c'],
    ...[
      '--b--',
      '--c--',
      '',
      '',
      'Content-Type: message/rfc822',
      'Subject: =?utf-8?Q?=C3?=',
      ' folded',
      'From: a@b, c:;',
    ],
    ...['Content-Disposition: a; x*0*=1', '\x80\xff', '=', 'text'],
  ];
  it('any bytes have an outline whose parts lie in them, and which comes back from its packed form', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each)),
      fc
        .array(fc.tuple(fc.constantFrom(...LINES), fc.constantFrom('\r\n', '\r\n', '\n', '\r')), { maxLength: 40 })
        .map((lines) => Buffer.from(lines.flat().join(''), 'latin1')),
    );
    fc.assert(
      fc.property(bytes, (each) => {
        const outline = outlineOf(each);
        assertPlaces(outline.body, each.length);
        assert.deepEqual(unpackOutline(JSON.parse(JSON.stringify(packOutline(outline)))), outline);
      }),
      { numRuns: 2000 },
    );
  });

  it('the sections of a well-formed mail join to the mail', () => {
    const leaf = fc
      .tuple(fc.constantFrom('text/plain', 'text/html', 'application/pdf'), fc.stringMatching(/^[a-z \r\n]{0,40}$/))
      .map(([type, text]) => `Content-Type: ${type}\r\n\r\n${text}`);
    const { part } = fc.letrec<{ part: string }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        leaf,
        tie('part').map((inner) => `Content-Type: message/rfc822\r\n\r\nSubject: s\r\n${inner}`),
        fc
          .tuple(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 1e9 }))
          .map(([parts, n]) => {
            const begin = `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n`;
            return `${begin}${parts.map((each) => `--b${n}\r\n${each}\r\n`).join('')}--b${n}--`;
          }),
      ),
    }));
    const joined = (bytes: Buffer, part: ImapPart, from: number[]): string => {
      // A mail that is itself of this type has it as its part 1.
      const path = from.length === 0 && part.message ? [1] : from;
      const text = (what: 'all' | 'mime' | 'header' | 'text', of = path) =>
        Buffer.from(sectionOf(bytes, outlineOf(bytes).body, { path: of, what, fields: [] }) ?? []).toString('latin1');
      const header = path.length === 0 ? text('header') : text('mime');
      if (part.message) {
        const inner = part.message.body;
        if (inner.type !== 'multipart') assert.equal(text('all', [...path, 1]), text('text'));
        assert.equal(text('header') + text('text'), text('all'));
        return header + text('all');
      }
      if (part.type !== 'multipart') return header + text(path.length === 0 ? 'text' : 'all');
      const boundary = part.params.find(([name]) => name === 'boundary')?.[1];
      const parts = part.parts.map((each, i) => `--${boundary}\r\n${joined(bytes, each, [...path, i + 1])}\r\n`);
      return `${header}${parts.join('')}--${boundary}--`;
    };
    fc.assert(
      fc.property(part, (text) => {
        const bytes = Buffer.from(text, 'latin1');
        assert.equal(joined(bytes, outlineOf(bytes).body, []), text);
      }),
      { numRuns: 300 },
    );
  });
});
