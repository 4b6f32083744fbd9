import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession, type TestAgent } from '../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../test/support/harness.ts';
import { calendarText, receiveCalendar } from '../../../test/support/invitations.ts';
import { DAY_MS } from '../../base/period.ts';

const EVENTS = '/v1/calendar/events';
const MEETING = { summary: 'Tea', start: '2026-01-20T09:00:00Z', end: '2026-01-20T10:00:00Z' };
const OUTSIDER = 'olga@example.com';

type Told = Record<string, string>;
/** What an event says of each attendee: the reason, else the status. */
const statusesOf = async ({ api }: TestAgent, id: string): Promise<Told> =>
  Object.fromEntries(
    (await api.get(`${EVENTS}/${id}`)).body.attendee_status.map(({ address, status, reason }: Told) => [
      address,
      reason === undefined ? status : `${status}: ${reason}`,
    ]),
  );

/** An agent whose mail an operator sees first, and decisions about the newest mail that waits for an address. */
async function held(t: TestApp) {
  const ada = await createAgent(t);
  const boss = `boss-${ada.accountId}@example.org`;
  await confirmOperator(t, ada, boss);
  const operator = await openSession(t, boss);
  await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
  const decide = async (verb: 'approve' | 'reject' | 'withdraw', to: string, by: Api = operator): Promise<void> => {
    const { reviews } = (await by.get('/v1/email/reviews?status=pending')).body;
    const review = reviews.find((each: { to: string[] }) => each.to.includes(to));
    const decided = await by.post(`/v1/email/reviews/${review.review_id}/${verb}`, {});
    assert.equal(decided.status, 200, decided.text);
    await t.app.worker.runDue();
  };
  return { ada, boss, operator, decide };
}

onEngines('any', 'an invitation that waits for a review', {}, (suite) => {
  it('is `invited` once it is released, and says why when it is not: rejected, withdrawn, expired, refused', async () => {
    const { t } = suite;
    const { ada, boss, decide } = await held(t);
    const names = ['yes', 'no', 'back', 'gone', 'late'];
    const attendees = names.map((name) => `${name}@out.example`) as [string, string, string, string, string];
    const [yes, no, back, gone, late] = attendees;
    const { id } = (await ada.api.post(EVENTS, { ...MEETING, attendees })).body;
    assert.deepEqual(Object.values(await statusesOf(ada, id)), ['held', 'held', 'held', 'held', 'held']);
    const values = [ada.accountId, gone, 'hard_bounce', 1];
    await t.sql('insert into suppressions (account_id, address, reason, created_at) values (?, ?, ?, ?)', ...values);
    await decide('approve', yes);
    await decide('reject', no);
    await decide('withdraw', back, ada.api);
    await decide('approve', gone);
    t.clock.advance(7 * DAY_MS);
    await t.app.worker.runDue();
    await t.app.worker.runDue();
    assert.deepEqual(await statusesOf(ada, id), {
      [yes]: 'invited',
      [no]: 'not_invited: rejected',
      [back]: 'not_invited: withdrawn',
      [gone]: 'not_invited: recipient_suppressed',
      [late]: 'not_invited: expired',
    });
    assert.deepEqual(await t.sql('select * from calendar_held_mails where event_id = ?', id), []);
    assert.ok(await openSession(t, boss));
  });

  it('of a change leaves whoever was invited before invited, also when the change is rejected', async () => {
    const { t } = suite;
    const { ada, decide, operator } = await held(t);
    const [first, second] = ['first@out.example', 'second@out.example'];
    const { id } = (await ada.api.post(EVENTS, { ...MEETING, attendees: [first, second] })).body;
    await decide('approve', first);
    await decide('approve', second);
    await ada.api.patch(`${EVENTS}/${id}`, { location: 'Room 2' });
    assert.deepEqual(await statusesOf(ada, id), { [first]: 'held', [second]: 'held' });
    await decide('reject', first);
    await decide('approve', second);
    assert.deepEqual(await statusesOf(ada, id), { [first]: 'invited: rejected', [second]: 'invited' });
    await ada.api.patch(`${EVENTS}/${id}`, { location: 'Room 3' });
    await ada.api.delete(`${EVENTS}/${id}`);
    await decide('approve', first, operator);
    assert.equal((await ada.api.get(`${EVENTS}/${id}`)).status, 404);
    assert.deepEqual(await t.sql('select * from calendar_held_mails where event_id = ?', id), []);
  });
});

onEngines('any', 'changes by mail', {}, (suite) => {
  const uid = 'series-1@example.com';
  const series = (address: string, more: readonly string[] = []): string[] => [
    ...[`UID:${uid}`, 'SEQUENCE:0', 'SUMMARY:Weekly', `ORGANIZER:mailto:${OUTSIDER}`, 'RRULE:FREQ=WEEKLY;COUNT=5'],
    ...['DTSTART:20260202T090000Z', 'DTEND:20260202T100000Z', `ATTENDEE:mailto:${address}`, ...more],
  ];
  const day = (address: string, date: string, sequence: number, hour: string): string[] => [
    ...[`UID:${uid}`, `SEQUENCE:${sequence}`, 'SUMMARY:Weekly, later', `RECURRENCE-ID:${date}T090000Z`],
    ...[`DTSTART:${date}T${hour}0000Z`, 'DURATION:PT30M', `ORGANIZER:mailto:${OUTSIDER}`, `ATTENDEE:mailto:${address}`],
  ];

  it('a moved, a cancelled and a left out day of a series are kept beside its rule, and in the feed', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const request = (fields: string[], from = OUTSIDER, ip?: string) =>
      receiveCalendar(t, from, ada.address, calendarText('REQUEST', fields), ip);
    const events = async () => (await ada.api.get(EVENTS)).body.events;
    await request(series(ada.address, ['EXDATE:20260209T090000Z']));
    await request(day(ada.address, '20260216', 1, '14'));
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('CANCEL', day(ada.address, '20260223', 1, '09')));
    // Older, unproven, of another organizer: nothing changes.
    await request(day(ada.address, '20260216', 0, '16'));
    await request(day(ada.address, '20260216', 2, '16'), OUTSIDER, '198.51.100.1');
    await request(day(ada.address, '20260216', 2, '16'), 'mallory@example.com');
    const [event, ...others] = await events();
    assert.deepEqual([others.length, event.rrule, event.start], [0, 'FREQ=WEEKLY;COUNT=5', '2026-02-02T09:00:00.000Z']);
    assert.deepEqual(
      event.occurrences.map((each: Record<string, unknown>) => [each.recurrence_id, each.cancelled, each.start]),
      [
        ['2026-02-09T09:00:00.000Z', true, '2026-02-09T09:00:00.000Z'],
        ['2026-02-16T09:00:00.000Z', false, '2026-02-16T14:00:00.000Z'],
        ['2026-02-23T09:00:00.000Z', true, '2026-02-23T09:00:00.000Z'],
      ],
    );
    const { feed_url: url } = (await ada.api.get('/v1/calendar/feed')).body;
    const feed = await (await fetch(url)).text();
    assert.match(feed, /RECURRENCE-ID:20260216T090000Z[\s\S]*?SUMMARY:Weekly\\, later/);
    assert.equal(feed.split('STATUS:CANCELLED').length - 1, 2);
    await request([...series(ada.address).filter((line) => line !== 'SEQUENCE:0'), 'SEQUENCE:3']);
    assert.deepEqual([(await events())[0].occurrences, (await events()).length], [undefined, 1]);
  });

  it('an invitation to one day of a series is an event; its cancellation ends it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const fields = day(ada.address, '20260216', 0, '14');
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('REQUEST', fields));
    const [event] = (await ada.api.get(EVENTS)).body.events;
    assert.deepEqual([event.start, event.status, event.rrule], ['2026-02-16T14:00:00.000Z', 'pending', null]);
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('CANCEL', fields));
    assert.equal((await ada.api.get(`${EVENTS}/${event.id}`)).body.status, 'cancelled');
  });

  it('no other day concerns an invitation to one day, and no day a series whose rule is not known', async () => {
    const { t } = suite;
    const oneDay = (address: string) => day(address, '20260216', 0, '14');
    const byDates = (address: string) =>
      series(address).map((line) => (line.startsWith('RRULE') ? 'RDATE:20260209T090000Z,20260223T090000Z' : line));
    for (const [first, start] of [
      [oneDay, '2026-02-16T14:00:00.000Z'],
      [byDates, '2026-02-02T09:00:00.000Z'],
    ] as const) {
      const ada = await createAgent(t);
      const receive = (method: string, fields: readonly string[]) =>
        receiveCalendar(t, OUTSIDER, ada.address, calendarText(method, fields));
      await receive('REQUEST', first(ada.address));
      await receive('CANCEL', day(ada.address, '20260223', 0, '14'));
      await receive('REQUEST', day(ada.address, '20260223', 1, '15'));
      const { events } = (await ada.api.get(EVENTS)).body;
      assert.deepEqual(
        events.map((event: Record<string, unknown>) => [event.start, event.status, event.rrule]),
        [[start, 'pending', null]],
      );
    }
  });

  it('a proven COUNTER shows the organizer the time that an attendee proposes; an answer or a new time ends it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { id } = (await ada.api.post(EVENTS, { ...MEETING, attendees: [OUTSIDER] })).body;
    const say = (method: string, status: string, sequence: number, ip?: string, from = OUTSIDER) => {
      const who = [`ORGANIZER:mailto:${ada.address}`, `ATTENDEE;PARTSTAT=${status}:mailto:${from}`];
      const time = ['DTSTART:20260121T090000Z', 'DTEND:20260121T100000Z'];
      const fields = [`UID:${id}@agents.localhost`, `SEQUENCE:${sequence}`, ...time, ...who];
      return receiveCalendar(t, from, ada.address, calendarText(method, fields), ip);
    };
    const shown = async () => (await ada.api.get(`${EVENTS}/${id}`)).body.attendee_status;
    await say('COUNTER', 'TENTATIVE', 0, '198.51.100.1');
    await say('COUNTER', 'TENTATIVE', 0, undefined, 'mallory@example.com');
    assert.deepEqual(await shown(), [{ address: OUTSIDER, status: 'invited' }]);
    const before = (await ada.api.get('/v1/events?type=calendar.updated')).body.events.length;
    await say('COUNTER', 'TENTATIVE', 0);
    const proposal = { start: '2026-01-21T09:00:00.000Z', end: '2026-01-21T10:00:00.000Z' };
    assert.deepEqual(await shown(), [{ address: OUTSIDER, status: 'tentative', proposal }]);
    assert.equal((await ada.api.get('/v1/events?type=calendar.updated')).body.events.length, before + 1);
    await say('REPLY', 'ACCEPTED', 0);
    assert.deepEqual(await shown(), [{ address: OUTSIDER, status: 'accepted' }]);
    await say('COUNTER', 'NEEDS-ACTION', 0);
    assert.deepEqual(await shown(), [{ address: OUTSIDER, status: 'accepted', proposal }]);
    await ada.api.patch(`${EVENTS}/${id}`, { start: proposal.start, end: proposal.end });
    assert.deepEqual(await shown(), [{ address: OUTSIDER, status: 'invited' }]);
    await say('COUNTER', 'TENTATIVE', 0);
    assert.deepEqual(await shown(), [{ address: OUTSIDER, status: 'invited' }]);
  });
});
