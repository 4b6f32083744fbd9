import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outlineOf } from './mail-outline.ts';
import { decodedPart, HeaderReader, headerOf, partOf, type Section, sectionOf } from './mail-section.ts';

const crlf = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');

/** The example of RFC 9051 6.4.5.1: which parts there are, and what they are. */
const NESTED = crlf(`Subject: outer
X-A: 1
X-B: 2
 folded
Content-Type: multipart/mixed; boundary=a

--a
Content-Type: text/plain

first
--a
Content-Type: application/octet-stream

second
--a
Content-Type: message/rfc822

Subject: third
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

3.1
--b
Content-Type: application/octet-stream

3.2
--b--
--a
Content-Type: multipart/mixed; boundary=c

--c
Content-Type: image/gif

4.1
--c
Content-Type: message/rfc822

Subject: four two

4.2
--c--
--a--
`);
const { body } = outlineOf(NESTED);

function at(path: number[], what: Section['what'] = 'all', fields: string[] = []): string | null {
  const found = sectionOf(NESTED, body, { path, what, fields });
  return found && Buffer.from(found).toString('latin1');
}

describe('sections of a mail', () => {
  it('names the whole, its header and its text', () => {
    assert.equal(at([]), NESTED.toString('latin1'));
    assert.equal(`${at([], 'header')}${at([], 'text')}`, NESTED.toString('latin1'));
    assert.equal(at([], 'mime'), null);
  });

  it('names parts, and parts of messages in them', () => {
    assert.deepEqual(
      [at([1]), at([2]), at([3, 1]), at([3, 2]), at([4, 1]), at([4, 2, 1])],
      [...['first', 'second', '3.1', '3.2', '4.1', '4.2']],
    );
    assert.equal(at([1], 'mime'), 'Content-Type: text/plain\r\n\r\n');
    assert.equal(at([3], 'mime'), 'Content-Type: message/rfc822\r\n\r\n');
    assert.equal(at([4, 2], 'header'), 'Subject: four two\r\n\r\n');
    assert.equal(at([4, 2], 'text'), '4.2');
    assert.equal(at([4, 2]), 'Subject: four two\r\n\r\n4.2');
    assert.equal(at([4, 2, 1], 'mime'), 'Subject: four two\r\n\r\n');
  });

  it('null for what is not there', () => {
    for (const path of [[0], [5], [1, 1], [3, 3], [4, 2, 2], [4, 2, 1, 1], [4_294_967_295]])
      assert.equal(at(path), null);
    assert.deepEqual([at([1], 'header'), at([1], 'text'), at([4], 'fields', ['x'])], [null, null, null]);
    assert.equal(partOf(body, [9]), null);
  });

  it('part 1 of a mail that is no multipart is its body', () => {
    const bytes = crlf('Subject: x\n\nhello');
    const { body: only } = outlineOf(bytes);
    const text = (path: number[]) => sectionOf(bytes, only, { path, what: 'all', fields: [] })?.toString();
    assert.deepEqual([text([1]), text([2]), text([1, 1])], ['hello', undefined, undefined]);
  });

  it('some fields of a header, or the others, with the empty line', () => {
    assert.equal(at([], 'fields', ['x-b', 'SUBJECT']), 'Subject: outer\r\nX-B: 2\r\n folded\r\n\r\n');
    assert.equal(
      at([], 'fields.not', ['X-B', 'subject']),
      'X-A: 1\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n',
    );
    assert.equal(at([4, 2], 'fields', ['none']), '\r\n');
    const bare = Buffer.from('A: 1\nB: 2');
    const found = sectionOf(bare, outlineOf(bare).body, { path: [], what: 'fields', fields: ['b'] });
    assert.equal(found?.toString(), 'B: 2');
  });

  it('in a very long header, fields are known by name as far as it is read; none is cut', () => {
    const long = `To: ${'a@b.example,\r\n '.repeat(20_000)}c@b.example\r\n`;
    const bytes = Buffer.from(`Subject: x\r\n${long}Cc: d@b.example\r\n\r\nhello`);
    const some = (what: 'fields' | 'fields.not', ...fields: string[]) =>
      sectionOf(bytes, outlineOf(bytes).body, { path: [], what, fields })?.toString();
    assert.equal(some('fields', 'to'), `${long}\r\n`);
    assert.equal(some('fields', 'cc'), '\r\n');
    assert.equal(some('fields.not', 'to'), 'Subject: x\r\nCc: d@b.example\r\n\r\n');
    assert.equal(some('fields.not', 'none'), `Subject: x\r\n${long}Cc: d@b.example\r\n\r\n`);
    const headers = new HeaderReader();
    const first = Buffer.from('A: 1\r\nB: 2\r\n\r\n');
    for (let n = 0; n < 2; n += 1)
      for (const [name, found] of [
        ['a', 'A: 1\r\n\r\n'],
        ['b', 'B: 2\r\n\r\n'],
      ] as const)
        assert.equal(headers.fieldsIn(first, [name], true).toString(), found);
    assert.equal(headers.fieldsIn(Buffer.from('B: 3\r\n\r\n'), ['b'], true).toString(), 'B: 3\r\n\r\n');
  });

  it('undoes transfer encodings, and says that it does not know one', () => {
    const decoded = (encoding: string, text: string): string | null => {
      const bytes = crlf(`Content-Transfer-Encoding: ${encoding}\n\n${text}`);
      const found = decodedPart(bytes, outlineOf(bytes).body);
      return found && Buffer.from(found).toString('latin1');
    };
    assert.equal(decoded('base64', 'aGVs\nbG8=\n'), 'hello');
    assert.equal(decoded('BASE64', 'aGVsbG8=\naGVsbG8=\n'), 'hellohello');
    assert.equal(
      decoded('base64', 'aG=VsbG8=\na-G_VsbG8='),
      'h\x56\xc6\xc6hello'.replace('\x56\xc6\xc6', String.fromCharCode(0x56, 0xc6, 0xc6)),
    );
    assert.equal(decoded('quoted-printable', 'a=3Db =\nc=E9 \t\nd=ZZ  e=20\n='), 'a=b c\xe9\r\nd=ZZ  e \r\n');
    assert.equal(decoded('8bit', 'a=3D'), 'a=3D');
    assert.equal(decoded('x-uuencode', 'x'), null);
  });

  it('the header ends with its empty line', () => {
    assert.equal(Buffer.from(headerOf(NESTED)).toString('latin1'), at([], 'header'));
  });
});
