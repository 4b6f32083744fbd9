import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { CalendarParser } from './calendar-parser.ts';
import { readCalendar } from './calendar-read.ts';

const parser = new CalendarParser();
after(() => parser.close());

const LINES = [
  ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VTIMEZONE', 'TZID:Home', 'BEGIN:STANDARD', 'DTSTART:16010101T000000'],
  ...[
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
  ],
  ...['BEGIN:VEVENT', 'UID:1@example.com', 'DTSTART;TZID=Home:20260114T090000', 'DTEND;TZID=Home:20260114T100000'],
  ...[
    'SUMMARY:Tea',
    'RRULE:FREQ=DAILY',
    'ORGANIZER:mailto:Ada@Example.com',
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com',
  ],
  ...['END:VEVENT', 'END:VCALENDAR'],
];
const read = (lines: readonly string[]) => parser.read(Buffer.from(lines.join('\r\n')));
const withLine = (line: string, from = /^RRULE:FREQ=DAILY/) => LINES.map((known) => (from.test(known) ? line : known));

const list = (count: number): string => Array.from({ length: count }, (_, n) => n).join(',');
const EVERY_SECOND = `BYHOUR=${list(24)};BYMINUTE=${list(60)};BYSECOND=${list(60)}`;

/** Rules that no real zone has, and zones that would take long to follow. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'each second': ['RRULE:FREQ=SECONDLY'],
  'each minute, to the end of time': ['RRULE:FREQ=MINUTELY;UNTIL=99991231T235959Z'],
  'each hour, a billion times': ['RRULE:FREQ=HOURLY;COUNT=999999999'],
  'each day': ['RRULE:FREQ=DAILY'],
  'each week': ['RRULE:FREQ=WEEKLY;INTERVAL=1'],
  'each month, at each second of a day': [`RRULE:FREQ=MONTHLY;${EVERY_SECOND}`],
  'each year, at each second of each day': [`RRULE:FREQ=YEARLY;BYYEARDAY=${list(367).slice(2)};${EVERY_SECOND}`],
  'a day that never comes': ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31'],
  'four thousand dates': Array.from({ length: 4000 }, () => 'RDATE:19800101T000000'),
};

describe('calendars of strangers', () => {
  it('N2: a zone is never expanded: one that no real zone resembles has the offset that it names', () => {
    let expansions = 0;
    const { iterator } = ICAL.Recur.prototype;
    ICAL.Recur.prototype.iterator = function (...args) {
      expansions += 1;
      return iterator.apply(this, args);
    };
    try {
      for (const start of ['00010101T000000', '19700101T000000', '16010101T000000'])
        for (const [what, rules] of Object.entries(ZONES)) {
          const lines = LINES.flatMap((line) => (line.startsWith('RRULE:FREQ=YEARLY') ? rules : [line]));
          const text = lines.join('\r\n').replace('16010101T000000', start);
          for (const year of [2026, 2030, 9998]) {
            const mail = readCalendar(Buffer.from(text.replaceAll('Home:2026', `Home:${year}`)));
            assert.equal(mail?.startAt, Date.UTC(year, 0, 14, 8), `${what} from ${start} in ${year}`);
          }
        }
    } finally {
      ICAL.Recur.prototype.iterator = iterator;
    }
    assert.equal(expansions, 0);
  });

  it('N2: a known zone is taken by its name, whatever is defined for it', async () => {
    const lines = LINES.map((line) => line.replace('Home', 'America/New_York').replace('FREQ=YEARLY', 'FREQ=SECONDLY'));
    assert.equal((await read(lines))?.startAt, Date.UTC(2026, 0, 14, 14));
  });

  it('N2: a zone as mail programs define it has the offset of each day, also at its changes', () => {
    const part = (name: string, from: string, to: string, start: string, rule: string): string[] => [
      ...[`BEGIN:${name}`, `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`],
      ...[`RRULE:FREQ=YEARLY;${rule}`, `END:${name}`],
    ];
    /** Each once as Outlook writes it, and in another way of saying the same. */
    const programs = [
      [
        part('STANDARD', '+0200', '+0100', '16010101T030000', 'INTERVAL=1;BYDAY=-1SU;BYMONTH=10'),
        part('DAYLIGHT', '+0100', '+0200', '16010101T020000', 'INTERVAL=1;BYDAY=-1SU;BYMONTH=3'),
      ],
      [
        part('DAYLIGHT', '+0100', '+0200', '19810329T020000', 'BYMONTH=3;BYMONTHDAY=25,26,27,28,29,30,31;BYDAY=SU'),
        part('STANDARD', '+0200', '+0100', '19961027T030000', 'BYMONTH=10;BYDAY=SU;BYMONTHDAY=-1,-2,-3,-4,-5,-6,-7'),
        part('DAYLIGHT', '+0100', '+0300', '19770329T020000', 'BYMONTH=6;BYDAY=2SU;UNTIL=19800608T010000Z'),
      ],
    ];
    const times: readonly (readonly [string, number])[] = [
      ['20260114T090000', Date.UTC(2026, 0, 14, 8)],
      ['20260329T015959', Date.UTC(2026, 2, 29, 0, 59, 59)],
      ['20260329T030000', Date.UTC(2026, 2, 29, 1)],
      ['20260714T090000', Date.UTC(2026, 6, 14, 7)],
      ['20261025T015959', Date.UTC(2026, 9, 24, 23, 59, 59)],
      ['20261025T030000', Date.UTC(2026, 9, 25, 2)],
      ['20301231T235959', Date.UTC(2030, 11, 31, 22, 59, 59)],
    ];
    for (const parts of programs)
      for (const [wall, ms] of times)
        for (const zone of ['Customized Time Zone', 'Europe/Berlin']) {
          const lines = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VTIMEZONE', `TZID:${zone}`, ...parts.flat()];
          const event = ['END:VTIMEZONE', 'BEGIN:VEVENT', 'UID:1', `DTSTART;TZID=${zone}:${wall}`, 'END:VEVENT'];
          const mail = readCalendar(Buffer.from([...lines, ...event, 'END:VCALENDAR'].join('\r\n')));
          assert.equal(mail?.startAt, ms, `${zone} at ${wall}`);
        }
  });

  it('are read with the zone that they bring', async () => {
    const mail = await read(LINES);
    assert.deepEqual(
      [mail?.method, mail?.startAt, mail?.organizer, mail?.rrule, mail?.attendees],
      [
        ...['REQUEST', Date.UTC(2026, 0, 14, 8), 'ada@example.com', 'FREQ=DAILY'],
        [{ address: 'bob@example.com', status: 'accepted' }],
      ],
    );
  });

  it('N2: that are hostile end within the deadline, block nothing, and the next one is read', async () => {
    const hostile: string[][] = [
      Array.from({ length: 8000 }, () => 'BEGIN:VEVENT'),
      withLine(`RRULE:FREQ=SECONDLY;BYSECOND=${Array.from({ length: 60 }, (_, i) => i).join(',')}`),
      withLine('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31', /^RRULE:FREQ=YEARLY/),
      withLine('DTSTART;TZID=Home:99991231T235959', /^DTSTART;TZID/),
      withLine('DTSTART:-0001', /^DTSTART;TZID/),
      withLine('DURATION:P99999999W', /^DTEND/),
      withLine(`SUMMARY:${'\\'.repeat(100_000)}`),
      withLine(Array.from({ length: 4000 }, (_, i) => `ATTENDEE:mailto:a${i}@b.c`).join('\r\n')),
      withLine(`X-A;${'B="'.repeat(30_000)}:c`),
      withLine('SEQUENCE:1e99'),
      withLine(`EXDATE:${Array.from({ length: 8000 }, (_, i) => `2026${1000 + (i % 200)}T090000Z`).join(',')}`),
      withLine(
        Array.from({ length: 3000 }, (_, i) => `EXDATE;TZID=Home:2026011${i % 10}T0900${10 + (i % 50)}`).join('\r\n'),
      ),
      withLine('RECURRENCE-ID;RANGE=THISANDFUTURE:20260114T080000Z'),
      withLine('UID:\u0000\u202e', /^UID/),
      ['BEGIN:VCALENDAR', ...Array.from({ length: 9000 }, () => ' x')],
      ['x'.repeat(200_000)],
      [''],
    ];
    for (const lines of hostile) {
      const mail = await read(lines);
      if (mail === null) continue;
      assert.ok(mail.attendees.length <= 100 && mail.summary.length <= 500 && mail.uid !== '');
      assert.ok(mail.endAt >= mail.startAt && Number.isSafeInteger(mail.endAt));
    }
    assert.equal((await read(LINES))?.uid, '1@example.com');
  });

  it('that are mutated at random are read or refused, and never more than the bounds', async () => {
    const text = LINES.join('\r\n');
    const place = fc.nat(text.length);
    const mutation = fc.tuple(
      place,
      place,
      fc.oneof(fc.string(), fc.constantFrom(...LINES), fc.constant('\r\n'), fc.constant('\u0000')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        let mutated = text;
        for (const [from, length, words] of mutations)
          mutated = mutated.slice(0, from) + words + mutated.slice(from + (length % 40));
        const mail = await parser.read(Buffer.from(mutated));
        if (mail === null) return;
        assert.ok(
          /^(REQUEST|CANCEL|REPLY|COUNTER)$/.test(mail.method) && mail.uid.length > 0 && mail.uid.length <= 500,
        );
        assert.ok(mail.occurrences.length <= 100);
        assert.ok(Number.isSafeInteger(mail.startAt) && mail.endAt >= mail.startAt && mail.sequence >= 0);
        const all = JSON.stringify(mail);
        assert.ok(!all.includes('\\u0000') && all.isWellFormed());
        assert.ok(mail.rrule === null || !/[\r\n]/.test(mail.rrule));
      }),
      { numRuns: 300 },
    );
  });
});
