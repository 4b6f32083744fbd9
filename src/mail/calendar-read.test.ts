import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { CalendarParser } from './calendar-parser.ts';

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

describe('calendars of strangers', () => {
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

  it('that are hostile end within the deadline, block nothing, and the next one is read', async () => {
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
