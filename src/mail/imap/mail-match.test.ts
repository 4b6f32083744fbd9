import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SearchKey } from './imap-store.ts';
import { matches, readsOf, type SearchedMail, sentDay } from './mail-match.ts';
import { outlineOf } from './mail-outline.ts';
import { headerOf } from './mail-section.ts';

const BYTES = Buffer.from(
  `From: =?utf-8?Q?J=C3=B6rg?= <joerg@x.example>
To: Team: ann@y.example, "Doe, Bob" <bob@y.example>;
Subject: =?utf-8?B?R3LDvMOfZQ==?= from Rome
Date: 7 Nov 26 23:59 -0800
X-List: =?utf-8?Q?=C3=84rger?=
 folded
X-Empty:

text`.replaceAll('\n', '\r\n'),
);
const asked: string[] = [];
const MAIL: SearchedMail = {
  uid: 7,
  modSeq: 40,
  flags: ['\\Seen', 'Work'],
  internalDate: Date.UTC(2026, 10, 8, 7, 59),
  size: 1000,
  emailId: 'E1',
  threadId: null,
  envelope: outlineOf(BYTES).envelope,
  header: headerOf(BYTES),
  hasWords(where, text) {
    asked.push(`${where} ${text}`);
    return text === 'text';
  },
};
const day = (n: number): number => Date.UTC(2026, 10, n);

const FITTING: SearchKey[] = [
  { key: 'all' },
  {
    key: 'uids',
    ranges: [
      [1, 2],
      [7, 9],
    ],
  },
  { key: 'flag', flag: '\\seen' },
  { key: 'flag', flag: 'WORK' },
  { key: 'from', text: 'JÖRG' },
  { key: 'from', text: 'J\u006f\u0308rg <joerg@' },
  { key: 'from', text: '@X.EXAMPLE' },
  { key: 'to', text: 'doe, bob' },
  { key: 'to', text: 'team' },
  { key: 'subject', text: 'GRÜSSE'.replace('SS', 'ß') },
  { key: 'subject', text: 'e from r' },
  { key: 'header', name: 'x-list', text: 'ärger FOLDED' },
  { key: 'header', name: 'X-EMPTY', text: '' },
  { key: 'sent', from: day(7), before: day(8) },
  { key: 'internalDate', from: day(8), before: day(9) },
  { key: 'larger', bytes: 999 },
  { key: 'smaller', bytes: 1001 },
  { key: 'modSeq', least: 40 },
  { key: 'emailId', id: 'E1' },
  { key: 'body', text: 'text' },
  { key: 'text', text: 'text' },
  {
    key: 'or',
    of: [
      { key: 'larger', bytes: 5000 },
      { key: 'flag', flag: 'work' },
    ],
  },
  { key: 'and', of: [] },
  { key: 'not', of: { key: 'and', of: [{ key: 'all' }, { key: 'larger', bytes: 5000 }] } },
];
const OTHERS: SearchKey[] = [
  { key: 'uids', ranges: [[8, 9]] },
  { key: 'flag', flag: '\\Flagged' },
  { key: 'from', text: 'jörg joerg' },
  { key: 'to', text: 'joerg' },
  { key: 'cc', text: '' },
  { key: 'bcc', text: 'bob' },
  { key: 'subject', text: 'rome2' },
  { key: 'header', name: 'x-none', text: '' },
  { key: 'header', name: 'x-empty', text: 'a' },
  { key: 'sent', from: day(8), before: day(9) },
  { key: 'internalDate', from: day(7), before: day(8) },
  { key: 'larger', bytes: 1000 },
  { key: 'smaller', bytes: 1000 },
  { key: 'modSeq', least: 41 },
  { key: 'threadId', id: 'T1' },
  { key: 'body', text: 'tex' },
  { key: 'or', of: [] },
  { key: 'not', of: { key: 'all' } },
];

describe('whether a mail is what SEARCH looks for', () => {
  for (const key of FITTING) it(`fits ${JSON.stringify(key)}`, () => assert.equal(matches(key, MAIL), true));
  for (const key of OTHERS) it(`does not fit ${JSON.stringify(key)}`, () => assert.equal(matches(key, MAIL), false));

  it('a mail without a readable date was sent on no day', () => {
    assert.deepEqual(
      [sentDay(null), sentDay('soon'), sentDay('Sat,  7 Nov 2026 10:00 +0000'), sentDay('7-Nov-1996')],
      [null, null, day(7), Date.UTC(1996, 10, 7)],
    );
    assert.equal(
      matches({ key: 'not', of: { key: 'sent', from: 0, before: day(1) } }, { ...MAIL, envelope: null }),
      true,
    );
  });

  it('says what it reads, and 2,000 nested keys are no harm', () => {
    let deep: SearchKey = { key: 'body', text: 'a' };
    for (let i = 0; i < 2000; i += 1) deep = { key: 'not', of: deep };
    assert.equal(matches(deep, MAIL), false);
    assert.deepEqual(readsOf(deep), { envelope: false, header: false, words: [{ where: 'body', text: 'a' }] });
    const key: SearchKey = {
      key: 'and',
      of: [
        { key: 'sent', from: 0, before: 1 },
        { key: 'header', name: 'a', text: '' },
      ],
    };
    assert.deepEqual(readsOf(key), { envelope: true, header: true, words: [] });
    assert.deepEqual(
      readsOf({
        key: 'or',
        of: [
          { key: 'cc', text: 'x' },
          { key: 'larger', bytes: 1 },
        ],
      }).envelope,
      true,
    );
  });
});
