import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decodedWords, MalformedMail, onlyMailbox, requireCleanLines, writtenFields } from './written-header.ts';

const fields = (text: string) => writtenFields(Buffer.from(text));

it('reads the fields of a header, unfolded, and nothing of the body', () => {
  assert.deepEqual(fields('From: a@b.example\r\nSubject:\r\n two\r\n\tlines\r\nX : y\r\n\r\nTo: z\r\n'), [
    { name: 'from', value: ' a@b.example' },
    { name: 'subject', value: ' two\tlines' },
    { name: 'x', value: ' y' },
  ]);
  assert.deepEqual(fields('\r\nFrom: x\r\n'), []);
  assert.equal(fields('From: x\r\n').length, 1);
});

it('refuses a header that two readers could understand in two ways', () => {
  for (const bad of [
    ' folded: first\r\n\r\n',
    'From: a\r\n  \r\nBcc: b\r\n\r\n',
    'From: a\r\nno field\r\n\r\n',
    'From ada Thu Jan 1\r\nFrom: a\r\n\r\n',
    'Fr\u00f6m: a\r\n\r\n',
    ': a\r\n\r\n',
    'From: a\r\nfrom: b\r\n\r\n',
    'Subject: a\r\nSubject : b\r\n\r\n',
    'Content-Type: text/plain\r\nContent-Type: text/html\r\n\r\n',
    `X: ${'x'.repeat(262_144)}\r\n\r\n`,
  ])
    assert.throws(() => fields(bad), MalformedMail, bad.slice(0, 60));
});

it('takes lines that end with CR LF alone, also at the edges of what is looked through at once', async () => {
  const slice = 524_288;
  for (const good of ['a\r\n', `${'x'.repeat(slice - 1)}\r\ny\r\n`, `${'x'.repeat(slice - 2)}\r\ny\r\n`, ''])
    await requireCleanLines(Buffer.from(good));
  for (const bad of [
    'a\nb\r\n',
    '\na\r\n',
    'a\rb\r\n',
    'a\r\n.\n.\r\n',
    'a\r\r\n',
    'a\r',
    'a\0\r\n',
    `${'x'.repeat(slice - 1)}\ry\r\n`,
    `${'x'.repeat(slice)}\ny\r\n`,
  ])
    await assert.rejects(requireCleanLines(Buffer.from(bad)), MalformedMail, JSON.stringify(bad.slice(-20)));
});

it('knows the only mailbox of a field, and refuses what some readers take for another', () => {
  for (const one of [
    'ada@a.example',
    ' <ada@a.example> ',
    'Ada <ada@a.example>',
    '"Ada, the (first) \\"one\\": x" <ada@a.example>',
    '"ada@a.example" <ada@a.example>',
    '=?utf-8?q?Z=C3=80=2C_Ada?=\t<ada@a.example>',
    'ada@a.example (Ada "the first")',
    ' (x) Ada (y) <ada@a.example> (z)',
  ])
    assert.equal(onlyMailbox(one), 'ada@a.example', one);
  for (const none of [
    '',
    'Ada',
    '<>',
    'ada@a.example, eve@evil.example',
    'ada@a.example; eve@evil.example',
    'ada@a.example,',
    'ada@a.example eve@evil.example',
    'eve@evil.example <ada@a.example> <x@y.example>',
    '<ada@a.example> eve@evil.example',
    'friends: ada@a.example;',
    'undisclosed:;',
    '<@relay.example:ada@a.example>',
    'Eve <eve@evil.example> <ada@a.example>',
    'eve@evil.example <ada@a.example>',
    `${'x'.repeat(999)} <ada@a.example>`,
    '(") <ada@a.example> (") <eve@evil.example>',
    '(") <eve@evil.example> (") <ada@a.example>',
    '\\" <eve@evil.example> " <ada@a.example>',
    '"eve@evil.example" ada@a.example',
    'Eve "ada"@a.example',
    '<"ada"@a.example>',
    'ada(x)@a.example',
    '"eve@evil.example" <ada@a.example>',
    '"ada@a.example eve@evil.example" <ada@a.example>',
    'ada@a.example (eve@evil.example)',
    '=?utf-8?q?eve=40evil.example?= <ada@a.example>',
    '"=?utf-8?b?PGV2ZUBldmlsLmV4YW1wbGU+?=" <ada@a.example>',
    'Ada\u202e <ada@a.example>',
    'A\u001b$B <ada@a.example>',
  ])
    assert.equal(onlyMailbox(none), null, none);
});

it('decodes encoded words, joined as readers join them', () => {
  const halves = ['AKIAABCD', 'EFGHIJKLMNOP'].map((half) => `=?utf-8?B?${Buffer.from(half).toString('base64')}?=`);
  assert.equal(decodedWords(halves.join(' ')), 'AKIAABCDEFGHIJKLMNOP');
  assert.equal(decodedWords('=?us-ascii?Q?a_=42?= plain'), 'a B plain');
});
