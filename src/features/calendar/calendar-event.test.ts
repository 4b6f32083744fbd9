import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTier } from '../../../test/support/agents.ts';
import { onEngines } from '../../../test/support/harness.ts';
import { parseCalendarTime } from './calendar-time.ts';

const EVENT = { summary: 'Stand-up', start: '2026-01-14T09:00:00+01:00', end: '2026-01-14T09:15:00+01:00' };
const PATH = '/v1/calendar/events';

describe('a calendar time', () => {
  const parsed = (text: string) => {
    const time = parseCalendarTime(text);
    return time && `${new Date(time.ms).toISOString()}${time.isDate ? ' date' : ''}`;
  };

  it('is an RFC 3339 date-time of any offset, or a date', () => {
    assert.equal(parsed('2026-01-14T09:00:00+01:00'), '2026-01-14T08:00:00.000Z');
    assert.equal(parsed('2026-01-14t09:00:00.123456z'), '2026-01-14T09:00:00.123Z');
    assert.equal(parsed('2026-01-14T23:30:00-01:00'), '2026-01-15T00:30:00.000Z');
    assert.equal(parsed('2024-02-29'), '2024-02-29T00:00:00.000Z date');
    // An unencoded + in a query.
    assert.equal(parsed('2026-01-14T09:00:00 01:00'), '2026-01-14T08:00:00.000Z');
  });

  it('is no other text', () => {
    const wrong = [
      '',
      'tomorrow',
      '2026-01-14T09:00:00',
      '2026-1-14',
      '2026-02-29',
      '2026-02-30T00:00:00Z',
      '2026-13-01',
      '2026-00-00',
      '2026-01-14T24:30:00Z',
      '2026-01-14T09:00Z',
      '20260114',
      '1768381200',
      '2026-01-14T09:00:00+25:00',
    ];
    for (const text of wrong) assert.equal(parsed(text), null, text);
  });
});

/** Few for a paid account, whose limit is tested; the free ones have room. */
const LIMITS = { limits: { paid: { calendar_events: 5 } } };

onEngines('any', 'POST /v1/calendar/events', LIMITS, (suite) => {
  it('201: times are in UTC, and both ids are the same', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const full = { ...EVENT, description: 'Daily.\nBring tea.', location: 'Room 1', attendees: ['ada@example.com'] };
    const { status, body } = await api.post(PATH, full);
    assert.equal(status, 201);
    assert.match(body.id, /^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    const now = new Date(t.clock.now()).toISOString();
    assert.deepEqual(body, {
      ...full,
      id: body.id,
      event_id: body.id,
      start: '2026-01-14T08:00:00.000Z',
      end: '2026-01-14T08:15:00.000Z',
      all_day: false,
      attendee_status: [{ address: 'ada@example.com', status: 'not_invited', reason: 'organizer_required' }],
      organizer: null,
      status: 'confirmed',
      rrule: null,
      sequence: 0,
      created_at: now,
      updated_at: now,
    });
    assert.deepEqual((await api.get(`${PATH}/${body.id}`)).body, body);
  });

  it('dates make an all-day event; end is the day after the last', async () => {
    const { api } = await suite.t.createAccount();
    for (const [start, end, over] of [
      ['2026-01-14', '2026-01-16', '2026-01-16'],
      ['2026-01-14', '2026-01-15', '2026-01-15'],
      ['2026-01-14', '2026-01-14', '2026-01-15'],
    ]) {
      const { body } = await api.post(PATH, { summary: 'Off', start, end });
      assert.equal(body.all_day, true);
      assert.equal(body.start, '2026-01-14T00:00:00.000Z');
      assert.equal(body.end, `${over}T00:00:00.000Z`);
    }
  });

  it('400 naming the field: an end before the start, a date with a time, an invalid time, an invalid attendee', async () => {
    const { api } = await suite.t.createAccount();
    for (const [wrong, path] of [
      [{ end: '2026-01-14T07:59:59Z' }, '/body/end'],
      [{ end: '2026-01-14' }, '/body/end'],
      [{ start: 'soon' }, '/body/start'],
      [{ start: 1768381200 }, '/body/start'],
      [{ start: '0000-01-01T00:00:00+00:01' }, '/body/start'],
      [{ end: '9999-12-31T23:59:59-00:01' }, '/body/end'],
      [{ start: '9999-12-31', end: '9999-12-31' }, '/body/end'],
      [{ attendees: ['ada@example.com\n'] }, '/body/attendees/0'],
      [{ summary: '' }, '/body/summary'],
      [{ summary: 'a\r\nATTENDEE:b' }, '/body/summary'],
      [{ attendees: ['not an address'] }, '/body/attendees/0'],
      [{ attendees: Array(101).fill('a@example.com') }, '/body/attendees'],
      [{ description: 'x'.repeat(10_001) }, '/body/description'],
      [{ colour: 'red' }, '/body/colour'],
    ] as const) {
      const { status, body } = await api.post(PATH, { ...EVENT, ...wrong });
      assert.equal(status, 400);
      assert.equal(body.error, 'invalid_request');
      assert.equal(body.details[0].path, path);
    }
    assert.equal((await api.get(PATH)).body.total, 0);
    assert.equal((await api.post(PATH, { ...EVENT, end: EVENT.start })).status, 201);
  });
});

onEngines('both', 'the calendar limit', LIMITS, (suite) => {
  it('12 concurrent creations, room for 5: five succeed, the others get 402 calendar_limit; a deletion makes room', async () => {
    const { api, accountId } = await suite.t.createAccount();
    await setTier(suite.t, accountId, 'paid');
    const replies = await Promise.all(Array.from({ length: 12 }, () => api.post(PATH, EVENT)));
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 5);
    const refused = replies.find(({ status }) => status === 402);
    assert.equal(refused?.body.error, 'calendar_limit');
    assert.equal(refused?.body.limit, 5);
    assert.equal((await api.get(PATH)).body.total, 5);
    assert.equal((await api.delete(`${PATH}/${made[0]?.body.id}`)).status, 200);
    assert.equal((await api.post(PATH, EVENT)).status, 201);
    assert.equal((await api.post(PATH, EVENT)).status, 402);
  });
});

onEngines('any', 'GET /v1/calendar/events', LIMITS, (suite) => {
  it('400: a window that ends before it begins, invalid times, a cursor of another list', async () => {
    const { api } = await suite.t.createAccount();
    for (const query of ['from=2026-02-02&to=2026-02-01', 'from=soon', 'to=2026-02-30', 'limit=0', 'cursor=x'])
      assert.equal((await api.get(`${PATH}?${query}`)).status, 400, query);
  });
});

onEngines('both', 'GET /v1/calendar/events: what the database decides', LIMITS, (suite) => {
  const span = (summary: string, start: string, end: string) => ({
    summary,
    start: `2026-${start}:00Z`,
    end: `2026-${end}:00Z`,
  });

  it('a window returns every event that overlaps it, including one that spans it, and none that only touches it', async () => {
    const { api } = await suite.t.createAccount();
    for (const event of [
      span('spans', '01-01T00:00', '03-01T00:00'),
      span('before', '01-31T23:00', '02-01T00:00'),
      span('ends within', '01-31T23:00', '02-01T00:01'),
      span('moment at the start', '02-01T00:00', '02-01T00:00'),
      span('within', '02-10T10:00', '02-10T11:00'),
      span('starts within', '02-28T23:59', '03-02T00:00'),
      span('after', '03-01T00:00', '03-01T01:00'),
    ])
      assert.equal((await api.post(PATH, event)).status, 201);
    const { body } = await api.get(`${PATH}?from=2026-02-01&to=2026-03-01T00:00:00Z`);
    const names = body.events.map(({ summary }: { summary: string }) => summary);
    assert.deepEqual(names, ['spans', 'ends within', 'moment at the start', 'within', 'starts within']);
    assert.deepEqual([body.count, body.total, body.limit, body.next_cursor], [5, 5, 50, null]);
    assert.equal((await api.get(PATH)).body.total, 7);
    assert.equal((await api.get(`${PATH}?from=2026-03-01`)).body.total, 2);
    assert.equal((await api.get(`${PATH}?to=2026-01-31T23:00:00+00:00`)).body.total, 1);
  });

  it('pages have no gap and no repetition, even among events with the same start', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    for (let i = 0; i < 7; i++) {
      t.clock.advance(1);
      await api.post(PATH, span(`${i}`, i < 5 ? '02-01T10:00' : '02-01T09:00', '02-01T11:00'));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { body: { events: { summary: string }[]; total: number; next_cursor: string | null } } =
        await api.get(`${PATH}?limit=2&from=2026-02-01${cursor ? `&cursor=${cursor}` : ''}`);
      assert.equal(page.body.total, 7);
      seen.push(...page.body.events.map(({ summary }) => summary));
      cursor = page.body.next_cursor;
    } while (cursor);
    assert.deepEqual(seen, ['5', '6', '0', '1', '2', '3', '4']);
  });
});

onEngines('any', 'an event', LIMITS, (suite) => {
  it('PATCH changes the given fields, raises the sequence, and checks the resulting times', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { id } = (await api.post(PATH, { ...EVENT, location: 'Room 1' })).body;
    t.clock.advance(1000);
    const { status, body } = await api.patch(`${PATH}/${id}`, { end: '2026-01-14T10:00:00Z', location: null });
    assert.equal(status, 200);
    assert.equal(body.end, '2026-01-14T10:00:00.000Z');
    assert.equal(body.start, '2026-01-14T08:00:00.000Z');
    assert.equal(body.location, null);
    assert.equal(body.sequence, 1);
    assert.equal(Date.parse(body.updated_at) - Date.parse(body.created_at), 1000);
    for (const wrong of [{ start: '2026-01-14T10:00:01Z' }, { start: '2026-01-14' }, {}, { summary: null }])
      assert.equal((await api.patch(`${PATH}/${id}`, wrong)).status, 400);
    assert.deepEqual((await api.get(`${PATH}/${id}`)).body, body);
    const whole = await api.patch(`${PATH}/${id}`, { start: '2026-01-14', end: '2026-01-14' });
    assert.equal(whole.body.all_day, true);
    assert.equal((await api.patch(`${PATH}/${id}`, { summary: 'x' })).body.end, '2026-01-15T00:00:00.000Z');
  });

  it('of another account is answered like one that does not exist, and does not change', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const stranger = (await t.createAccount()).api;
    const { id } = (await api.post(PATH, EVENT)).body;
    const missing = `${PATH}/evt_00000000000000000000000000`;
    for (const call of [
      (path: string) => stranger.get(path),
      (path: string) => stranger.patch(path, { summary: 'mine' }),
      (path: string) => stranger.delete(path),
    ]) {
      const [foreign, none] = [await call(`${PATH}/${id}`), await call(missing)];
      assert.equal(foreign.status, 404);
      assert.equal(foreign.text, none.text);
    }
    assert.equal((await api.get(`${PATH}/${id}`)).body.summary, EVENT.summary);
    assert.equal((await stranger.get(PATH)).body.total, 0);
  });

  it('each change appends an event', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { id } = (await api.post(PATH, EVENT)).body;
    await api.patch(`${PATH}/${id}`, { summary: 'Moved' });
    await api.delete(`${PATH}/${id}`);
    const { events } = (await api.get('/v1/events')).body;
    const appended = events.map(({ type, data }: { type: string; data: Record<string, unknown> }) => [
      type,
      data.action,
      data.summary,
      data.event_id,
    ]);
    assert.deepEqual(appended, [
      ['calendar.updated', 'created', 'Stand-up', id],
      ['calendar.updated', 'updated', 'Moved', id],
      ['calendar.updated', 'deleted', 'Moved', id],
    ]);
  });
});

onEngines('both', 'an event: what the database decides', LIMITS, (suite) => {
  it('32 concurrent changes: each counts once, and none is lost', async () => {
    const { api } = await suite.t.createAccount();
    const { id } = (await api.post(PATH, EVENT)).body;
    const calls = Array.from({ length: 32 }, (_, i) => api.patch(`${PATH}/${id}`, { summary: `${i}` }));
    const sequences = (await Promise.all(calls)).map(({ body }) => body.sequence).sort((a, b) => a - b);
    assert.deepEqual(
      sequences,
      Array.from({ length: 32 }, (_, i) => i + 1),
    );
  });

  it('of 20 concurrent deletions one is 200, and the count falls by one', async () => {
    const { api } = await suite.t.createAccount();
    await api.post(PATH, EVENT);
    const { id } = (await api.post(PATH, EVENT)).body;
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.delete(`${PATH}/${id}`)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(404)]);
    assert.equal((await api.get(PATH)).body.total, 1);
  });
});
