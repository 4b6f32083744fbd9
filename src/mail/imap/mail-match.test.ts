import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SearchKey } from './imap-store.ts';
import { FoldedMail, matcherOf, readsOf, type SearchedMail, sentDay } from './mail-match.ts';
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
const matches = (key: SearchKey, mail: SearchedMail): boolean => matcherOf(key)(new FoldedMail(mail));
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

  it('reads each text of a mail once, however many keys ask for it', () => {
    const read: Record<string, number> = {};
    const counting = <T extends object>(of: T): T =>
      new Proxy(of, {
        get(target, name) {
          read[String(name)] = (read[String(name)] ?? 0) + 1;
          return Reflect.get(target, name);
        },
      });
    const envelope = MAIL.envelope && counting(MAIL.envelope);
    const mail = new FoldedMail(counting({ ...MAIL, envelope }));
    const names = ['from', 'to', 'cc', 'subject'] as const;
    const of = Array.from({ length: 400 }, (_, n): SearchKey[] => [
      { key: names[n % 4] ?? 'to', text: 'zz' },
      { key: 'header', name: n % 2 ? 'X-List' : 'X-Empty', text: 'zz' },
      { key: 'flag', flag: `k${n}` },
    ]).flat();
    assert.equal(matcherOf({ key: 'or', of })(mail), false);
    assert.deepEqual(
      ['from', 'to', 'subject', 'header', 'flags'].map((name) => read[name]),
      [1, 1, 1, 1, 1],
    );
  });

  it('finds a UID among many ranges without looking at all of them', () => {
    let looked = 0;
    const all = Array.from({ length: 50_000 }, (_, n): [number, number] => [10 * n, 10 * n + 3]);
    const ranges = new Proxy(all, {
      get(target, name) {
        if (/^\d+$/.test(String(name))) looked += 1;
        return Reflect.get(target, name);
      },
    });
    const has = (uid: number): boolean => matches({ key: 'uids', ranges }, { ...MAIL, uid });
    const uids = [0, 3, 4, 9, 250_000, 250_003, 250_005, 499_993, 499_994, 600_000];
    assert.deepEqual(uids.filter(has), [0, 3, 250_000, 250_003, 499_993]);
    assert.equal(matches({ key: 'uids', ranges: [] }, MAIL), false);
    assert.ok(looked < 400, `${looked}`);
  });
});
