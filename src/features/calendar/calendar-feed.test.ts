import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import ICAL from 'ical.js';
import { suspend } from '../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../test/support/harness.ts';
import { calendarText, receiveCalendar } from '../../../test/support/invitations.ts';
import { makePod } from '../../../test/support/pods.ts';

const EVENTS = '/v1/calendar/events';
const MEETING = { summary: 'Tea; milk, sugar\\', start: '2026-01-14T09:00:00+01:00', end: '2026-01-14T10:00:00+01:00' };

interface Seen {
  uid: string;
  summary: string;
  sequence: number;
  start: string;
  end: string;
}

/** What ical.js reads. */
function eventsIn(feed: string): Seen[] {
  const calendar = new ICAL.Component(ICAL.parse(feed));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, summary, sequence, startDate, endDate } = new ICAL.Event(component);
    return { uid, summary, sequence, start: startDate.toString(), end: endDate.toString() };
  });
}

const fetchFeed = (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { headers });

async function subscribed(t: TestApp) {
  const account = await t.createAccount();
  const { feed_url: url } = (await account.api.get('/v1/calendar/feed')).body;
  return { ...account, url, read: async () => (await fetchFeed(url)).text() };
}

onEngines('any', 'the calendar feed', {}, (suite) => {
  it('shows events, an edit by its SEQUENCE under the same UID, and a deletion', async () => {
    const { t } = suite;
    const { api, read } = await subscribed(t);
    assert.deepEqual(eventsIn(await read()), []);
    const { id } = (await api.post(EVENTS, { ...MEETING, description: 'one\ntwo', attendees: ['ada@example.com'] }))
      .body;
    const uid = `${id}@agents.localhost`;
    const times = { start: '2026-01-14T08:00:00Z', end: '2026-01-14T09:00:00Z' };
    assert.deepEqual(eventsIn(await read()), [{ uid, summary: MEETING.summary, sequence: 0, ...times }]);
    await api.patch(`${EVENTS}/${id}`, { summary: 'Coffee' });
    assert.deepEqual(eventsIn(await read()), [{ uid, summary: 'Coffee', sequence: 1, ...times }]);
    await api.delete(`${EVENTS}/${id}`);
    assert.deepEqual(eventsIn(await read()), []);
  });

  it('a location of several lines is read back unchanged and adds no line to the feed', async () => {
    const { api, read } = await subscribed(suite.t);
    const location = `Main Street 1; 3rd floor\n${'Room with a long name, '.repeat(8)}\r\nBerlin\\\nEND:VEVENT`;
    const { status, body } = await api.post(EVENTS, { ...MEETING, location });
    assert.deepEqual([status, body.location], [201, location]);
    const feed = await read();
    const [event, ...others] = new ICAL.Component(ICAL.parse(feed)).getAllSubcomponents('vevent');
    assert.deepEqual(others, []);
    assert.equal(event?.getFirstPropertyValue('location'), location.replaceAll('\r\n', '\n'));
    assert.ok(feed.split('\r\n').every((row) => Buffer.byteLength(row) <= 75));
    assert.equal(feed.match(/^END:VEVENT/gm)?.length, 1);
    const patched = await api.patch(`${EVENTS}/${body.id}`, { location: 'Here\nor there' });
    assert.deepEqual([patched.status, patched.body.location], [200, 'Here\nor there']);
  });

  it('all-day events are dates, any text survives, and no line is longer than 75 octets', async () => {
    const { api, read } = await subscribed(suite.t);
    const summary = `Ünïcode 🦊 ${'long '.repeat(60)}`.trim();
    await api.post(EVENTS, {
      summary,
      start: '2026-01-14',
      end: '2026-01-14',
      description: 'bell \u0007 rings\r\nEND:VEVENT',
    });
    const feed = await read();
    const [event] = eventsIn(feed);
    assert.deepEqual([event?.start, event?.end, event?.summary], ['2026-01-14', '2026-01-15', summary]);
    assert.match(feed, /^DTSTART;VALUE=DATE:20260114\r$/m);
    assert.equal(feed.includes('\u0007'), false);
    for (const line of feed.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
  });

  it('304 while nothing changed; a new ETag after any change', async () => {
    const { api, url } = await subscribed(suite.t);
    const first = await fetchFeed(url);
    assert.equal(first.headers.get('content-type'), 'text/calendar; charset=utf-8');
    const etag = first.headers.get('etag') as string;
    const again = await fetchFeed(url, { 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(await again.text(), '');
    assert.equal(again.headers.get('etag'), etag);
    await api.post(EVENTS, MEETING);
    const changed = await fetchFeed(url, { 'if-none-match': etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), etag);
  });

  it('H6: the link is random, stays the same until it is rotated, then stops working; its token is stored as a hash', async () => {
    const { t } = suite;
    const { api, accountId, url } = await subscribed(t);
    const looks = await Promise.all(Array.from({ length: 10 }, () => api.get('/v1/calendar/feed')));
    assert.deepEqual(new Set(looks.map(({ body }) => body.feed_url)), new Set([url]));
    assert.match(looks[0]?.body.cal_token, /^cal_[0-9A-Za-z]{32}$/);
    const rotated = await api.post('/v1/calendar/feed/rotate');
    assert.notEqual(rotated.body.feed_url, url);
    assert.equal((await api.get('/v1/calendar/feed')).body.feed_url, rotated.body.feed_url);
    assert.equal((await fetchFeed(url)).status, 404);
    assert.equal((await fetchFeed(rotated.body.feed_url)).status, 200);
    assert.equal((await fetchFeed(`${t.baseUrl}/v1/calendar/feed.ics?cal_token=cal_unknown`)).status, 404);
    assert.equal((await fetchFeed(`${t.baseUrl}/v1/calendar/feed.ics`)).status, 400);
    const [row] = await t.sql(`select * from calendars where account_id = '${accountId}'`);
    assert.equal(JSON.stringify(row).includes(rotated.body.cal_token), false);
  });

  it('the feed of a suspended account is answered like one that does not exist', async () => {
    const { t } = suite;
    const { accountId, url } = await subscribed(t);
    await suspend(t, accountId);
    assert.equal((await fetchFeed(url)).status, 404);
  });

  it('the feed of a pod with a suspended platform is answered like one that does not exist', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const { api } = await makePod(t, platform);
    const { feed_url: url } = (await api.get('/v1/calendar/feed')).body;
    assert.equal((await fetchFeed(url)).status, 200);
    await suspend(t, platform.accountId);
    assert.equal((await fetchFeed(url)).status, 404);
  });
});

onEngines('both', 'the calendar feed: what the database decides', {}, (suite) => {
  it('has every event of a large calendar once, and its name', async () => {
    const { t } = suite;
    const { api, accountId, read } = await subscribed(t);
    assert.deepEqual((await api.get('/v1/calendar/settings')).body, { name: 'Calendar' });
    assert.deepEqual((await api.put('/v1/calendar/settings', { name: 'Ada at work' })).body, { name: 'Ada at work' });
    await api.post(EVENTS, MEETING);
    await t.sql(
      `insert into calendar_events with recursive n(i) as (select 0 union all select i + 1 from n where i < 1199)
       select 'evt_' || i, '${accountId}', 'x', null, null, '[]', 0, i / 3, i / 3 + 1, 0, 0, 0 from n`,
    );
    await new Promise(setImmediate);
    await api.put('/v1/calendar/settings', { name: 'Ada' });
    const feed = await read();
    assert.match(feed, /^X-WR-CALNAME:Ada\r$/m);
    assert.equal(new Set(eventsIn(feed).map(({ uid }) => uid)).size, 1201);
    assert.equal(feed.match(/BEGIN:VEVENT/g)?.length, 1201);
    assert.deepEqual((await api.put('/v1/calendar/settings', { name: null })).body, { name: 'Calendar' });
  });

  it('streams a calendar of megabytes completely, every time', async () => {
    const { t } = suite;
    const { accountId, api, url } = await subscribed(t);
    await api.post(EVENTS, MEETING);
    await t.sql(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 450)
       insert into calendar_events (id, account_id, summary, description, attendees, all_day, start_at, end_at,
         sequence, created_at, updated_at)
       select 'evt_' || i || '_' || account_id, account_id, 'Large', ?, '[]', 0, i, i, 0, 0, 0
       from calendar_events cross join n where account_id = ?`,
      'x'.repeat(10_000),
      accountId,
    );
    await new Promise(setImmediate);
    for (const reply of await Promise.all([fetchFeed(url), fetchFeed(url)])) {
      assert.equal(reply.headers.get('content-length'), null);
      const feed = await reply.text();
      assert.equal(feed.match(/^BEGIN:VEVENT\r$/gm)?.length, 451);
      assert.ok(feed.endsWith('END:VCALENDAR'));
    }
    const head = await fetch(url, { method: 'HEAD' });
    assert.equal(head.status, 200);
  });

  it('20 concurrent first calls return one link', async () => {
    const { api } = await suite.t.createAccount();
    const looks = await Promise.all(Array.from({ length: 20 }, () => api.get('/v1/calendar/feed')));
    assert.equal(new Set(looks.map(({ body }) => body.cal_token)).size, 1);
  });
});

onEngines('both', 'the feed link of a named key', {}, (suite) => {
  const SCOPES = ['calendar:read', 'calendar:write'];

  /** A named key with its feed link. */
  async function keyed(fields: object = {}) {
    const { t } = suite;
    const account = await t.createAccount();
    const named = async (more: object = {}) =>
      (await account.api.post('/v1/account/keys', { name: 'app', scopes: SCOPES, ...fields, ...more })).body;
    const { id, api_key: key } = await named();
    const link = await t.api(key).get('/v1/calendar/feed');
    assert.equal(link.status, 200, link.text);
    return { ...account, t, id, key: t.api(key), url: link.body.feed_url as string, named };
  }
  const statusOf = async (url: string): Promise<number> => (await fetchFeed(url)).status;

  it('is its own, the same each time, and replaced by that key alone', async () => {
    const { t, api, key, url, named } = await keyed();
    const { feed_url: own } = (await api.get('/v1/calendar/feed')).body;
    const { feed_url: other } = (await t.api((await named()).api_key).get('/v1/calendar/feed')).body;
    assert.equal(new Set([url, own, other]).size, 3);
    await api.post(EVENTS, MEETING);
    assert.equal(eventsIn(await (await fetchFeed(url)).text()).length, 1);
    assert.equal((await key.get('/v1/calendar/feed')).body.feed_url, url);
    const { feed_url: replaced } = (await key.post('/v1/calendar/feed/rotate')).body;
    assert.deepEqual(await Promise.all([url, replaced, own, other].map(statusOf)), [404, 200, 200, 200]);
    await api.post('/v1/calendar/feed/rotate');
    assert.deepEqual(await Promise.all([replaced, own, other].map(statusOf)), [200, 404, 200]);
    const shown = JSON.stringify(await t.sql('select * from calendar_key_feeds'));
    assert.equal(shown.includes(new URL(replaced).searchParams.get('cal_token') as string), false);
  });

  it('404 once the key is deleted, rotated or expired, like a link that never was', async () => {
    const ends: Record<string, (made: Awaited<ReturnType<typeof keyed>>) => Promise<unknown>> = {
      deleted: ({ api, id }) => api.delete(`/v1/account/keys/${id}`),
      rotated: ({ api, id }) => api.post(`/v1/account/keys/${id}/rotate`, {}),
      'ended by secure': ({ api }) => api.post('/v1/account/secure', {}),
      expired: async ({ t }) => t.clock.advance(3_600_000),
    };
    for (const [what, end] of Object.entries(ends)) {
      const made = await keyed({ expires_in_seconds: 3600 });
      assert.equal(await statusOf(made.url), 200, what);
      await end(made);
      const [ended, never] = await Promise.all(
        [made.url, `${made.url}x`].map(async (url) => {
          const reply = await fetchFeed(url);
          const text = (await reply.text()).replace(reply.headers.get('x-request-id') as string, '');
          return [reply.status, text];
        }),
      );
      assert.deepEqual([ended, never?.[0]], [never, 404], what);
    }
  });

  it('of a rotated key lasts as long as its former text; the new text gets another, and no dead link is kept', async () => {
    const { t, api, accountId, id, url } = await keyed();
    const { api_key: fresh } = (await api.post(`/v1/account/keys/${id}/rotate`, { grace_seconds: 60 })).body;
    assert.equal(await statusOf(url), 200);
    t.clock.advance(60_000);
    assert.equal(await statusOf(url), 404);
    const { feed_url: next } = (await t.api(fresh).get('/v1/calendar/feed')).body;
    assert.equal(await statusOf(next), 200);
    const rows = await t.sql('select key_hash from calendar_key_feeds where account_id = ?', accountId);
    assert.equal(rows.length, 1);
  });

  it('20 concurrent first calls return one link', async () => {
    const { t, named } = await keyed();
    const other = t.api((await named()).api_key);
    const looks = await Promise.all(Array.from({ length: 20 }, () => other.get('/v1/calendar/feed')));
    assert.equal(new Set(looks.map(({ body }) => body.cal_token)).size, 1);
  });

  it('shows a key that is limited to addresses what concerns these, and events without one', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const addresses: string[] = [];
    for (const name of ['desk', 'board'])
      addresses.push((await account.api.post('/v1/email/claim', { address: `${name}-${t.engine}` })).body.address);
    const [desk, board] = addresses as [string, string];
    for (const from of [desk, board])
      assert.equal(
        (
          await account.api.post(EVENTS, {
            ...MEETING,
            summary: `by ${from}`,
            organizer: from,
            attendees: ['olga@example.com'],
          })
        ).status,
        201,
      );
    for (const to of [desk, board])
      await receiveCalendar(
        t,
        'olga@example.com',
        to,
        calendarText('REQUEST', [
          `UID:for-${to}`,
          `SUMMARY:for ${to}`,
          'DTSTART:20260120T100000Z',
          'ORGANIZER:mailto:olga@example.com',
          `ATTENDEE:mailto:${to}`,
        ]),
      );
    const fields = { name: 'desk', scopes: ['calendar:read'], addresses: [desk] };
    const { api_key: key } = (await account.api.post('/v1/account/keys', fields)).body;
    const read = async (url: string): Promise<string[]> =>
      eventsIn(await (await fetchFeed(url)).text())
        .map(({ summary }) => summary)
        .sort();
    await account.api.post(EVENTS, { ...MEETING, summary: 'alone' });
    const limited = (await t.api(key).get('/v1/calendar/feed')).body.feed_url;
    const whole = (await account.api.get('/v1/calendar/feed')).body.feed_url;
    assert.deepEqual(await read(limited), ['alone', `by ${desk}`, `for ${desk}`]);
    assert.deepEqual(await read(whole), ['alone', `by ${board}`, `by ${desk}`, `for ${board}`, `for ${desk}`]);
    const etags = await Promise.all([limited, whole].map(async (url) => (await fetchFeed(url)).headers.get('etag')));
    assert.notEqual(etags[0], etags[1]);
  });
});

/** The system's: its packages are Debian's. */
const PYTHON3 = '/usr/bin/python3';

const PYTHON = `
import sys, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
for event in calendar.walk('vevent'):
    print(event['uid'], event['sequence'], event['summary'], event['dtstart'].dt.isoformat(), sep='|')
`;

const hasPython = spawnSync(PYTHON3, ['-c', 'import icalendar']).status === 0;

onEngines('any', 'the calendar feed, to a program in another language', {}, (suite) => {
  it('python3-icalendar reads the event, its edit and its deletion', {
    skip: !hasPython && 'no python3-icalendar',
  }, async () => {
    const { api, read } = await subscribed(suite.t);
    const seen = async (): Promise<string> =>
      spawnSync(PYTHON3, ['-c', PYTHON], { input: await read(), encoding: 'utf8' }).stdout.trim();
    const { id } = (await api.post(EVENTS, MEETING)).body;
    const line = (sequence: number, summary: string) =>
      `${id}@agents.localhost|${sequence}|${summary}|2026-01-14T08:00:00+00:00`;
    assert.equal(await seen(), line(0, MEETING.summary));
    await api.patch(`${EVENTS}/${id}`, { summary: 'Coffee' });
    assert.equal(await seen(), line(1, 'Coffee'));
    await api.delete(`${EVENTS}/${id}`);
    assert.equal(await seen(), '');
  });
});
