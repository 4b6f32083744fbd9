import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { onEngines, type TestAccount, type TestApp } from '../../../test/support/harness.ts';
import { calendarText, invitationsTo, receiveCalendar } from '../../../test/support/invitations.ts';

const EVENTS = '/v1/calendar/events';
const MEETING = { summary: 'Tea; milk, sugar', start: '2026-01-20T09:00:00+01:00', end: '2026-01-20T10:00:00+01:00' };
const OUTSIDER = 'olga@example.com';

let names = 0;
async function agent(t: TestApp): Promise<TestAccount & { address: string }> {
  const account = await t.createAccount();
  const { address } = (await account.api.post('/v1/email/claim', { address: `guest-${names++}` })).body;
  return { ...account, address };
}
const eventsOf = async ({ api }: Pick<TestAccount, 'api'>) => (await api.get(EVENTS)).body.events;
const statusesOf = async ({ api }: Pick<TestAccount, 'api'>, id: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await api.get(`${EVENTS}/${id}`)).body.attendee_status.map(
      ({ address, status, reason }: Record<string, string>) => [address, reason ?? status],
    ),
  );

onEngines('any', 'invitations by mail', {}, (suite) => {
  it('between two agents: invited, answered, moved, answered again, cancelled', async () => {
    const { t } = suite;
    const [ada, bob] = [await agent(t), await agent(t)];
    const made = await ada.api.post(EVENTS, { ...MEETING, attendees: [bob.address, ada.address] });
    assert.equal(made.status, 201);
    assert.deepEqual([made.body.organizer, made.body.attendees], [ada.address, [bob.address, ada.address]]);
    const { id } = made.body;
    assert.deepEqual(await statusesOf(ada, id), { [bob.address]: 'invited', [ada.address]: 'accepted' });
    await t.app.worker.runDue();
    const [pending] = await eventsOf(bob);
    assert.deepEqual(
      [pending.status, pending.summary, pending.start, pending.organizer, pending.sequence],
      ['pending', MEETING.summary, '2026-01-20T08:00:00.000Z', ada.address, 0],
    );
    const answer = await bob.api.post(`${EVENTS}/${pending.id}/respond`, { status: 'accepted' });
    assert.deepEqual([answer.status, answer.body.status], [200, 'accepted'], answer.text);
    await t.app.worker.runDue();
    assert.deepEqual(await statusesOf(ada, id), { [bob.address]: 'accepted', [ada.address]: 'accepted' });

    const renamed = await ada.api.patch(`${EVENTS}/${id}`, { summary: 'Coffee' });
    assert.deepEqual([renamed.body.sequence, renamed.body.attendee_status[0].status], [1, 'accepted']);
    const moved = await ada.api.patch(`${EVENTS}/${id}`, { end: '2026-01-20T11:00:00+01:00' });
    assert.deepEqual([moved.body.sequence, moved.body.attendee_status[0].status], [2, 'invited']);
    await t.app.worker.runDue();
    const [asked] = await eventsOf(bob);
    assert.deepEqual([asked.id, asked.status, asked.summary, asked.sequence], [pending.id, 'pending', 'Coffee', 2]);
    assert.equal((await bob.api.patch(`${EVENTS}/${pending.id}`, { summary: 'Mine' })).body.error, 'not_organizer');
    await bob.api.post(`${EVENTS}/${pending.id}/respond`, { status: 'declined' });
    await t.app.worker.runDue();
    assert.equal((await statusesOf(ada, id))[bob.address], 'declined');

    assert.equal((await ada.api.delete(`${EVENTS}/${id}`)).status, 200);
    await t.app.worker.runDue();
    assert.deepEqual(
      (await eventsOf(bob)).map(({ status }: { status: string }) => status),
      ['cancelled'],
    );
    assert.equal((await bob.api.post(`${EVENTS}/${pending.id}/respond`, { status: 'accepted' })).status, 409);
    assert.deepEqual(await eventsOf(ada), []);
  });

  it('with an outsider: REQUEST, a change, who leaves the list and a deletion get CANCEL; only proven answers count', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const leaving = 'leo@example.com';
    const { id } = (await ada.api.post(EVENTS, { ...MEETING, attendees: [OUTSIDER, leaving] })).body;
    const uid = `${id}@agents.localhost`;
    const reply = (from: string, status: string, sequence: number, ip?: string) => {
      const who = [`ORGANIZER:mailto:${ada.address}`, `ATTENDEE;PARTSTAT=${status}:mailto:${OUTSIDER}`];
      const fields = [`UID:${uid}`, `SEQUENCE:${sequence}`, 'DTSTART:20260120T080000Z', ...who];
      return receiveCalendar(t, from, ada.address, calendarText('REPLY', fields), ip);
    };
    await reply(OUTSIDER, 'ACCEPTED', 0, '198.51.100.1');
    await reply('mallory@example.com', 'ACCEPTED', 0);
    assert.equal((await statusesOf(ada, id))[OUTSIDER], 'invited');
    await reply(OUTSIDER, 'TENTATIVE', 0);
    assert.equal((await statusesOf(ada, id))[OUTSIDER], 'tentative');
    await ada.api.patch(`${EVENTS}/${id}`, { start: '2026-01-20T09:30:00+01:00', attendees: [OUTSIDER] });
    await reply(OUTSIDER, 'ACCEPTED', 0);
    assert.deepEqual(await statusesOf(ada, id), { [OUTSIDER]: 'invited' });
    await reply(OUTSIDER, 'ACCEPTED', 1);
    assert.deepEqual(await statusesOf(ada, id), { [OUTSIDER]: 'accepted' });
    await ada.api.delete(`${EVENTS}/${id}`);
    const told = async (address: string) =>
      (await invitationsTo(t, address)).map(({ method, sequence, uid: sent }) => [method, sequence, sent]);
    assert.deepEqual(await told(OUTSIDER), [
      ['REQUEST', 0, uid],
      ['REQUEST', 1, uid],
      ['CANCEL', 2, uid],
    ]);
    assert.deepEqual(await told(leaving), [
      ['REQUEST', 0, uid],
      ['CANCEL', 1, uid],
    ]);
  });

  it('an outsider’s invitation is a pending event with its rule, in its zone; the agent’s answer is mailed', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const fields = (sequence: number, hour: string) => [
      ...[
        'UID:series-1@example.com',
        `SEQUENCE:${sequence}`,
        'SUMMARY:Weekly\\, with tea',
        `ORGANIZER:MAILTO:${OUTSIDER}`,
      ],
      ...[`DTSTART;TZID=Europe/Berlin:20260202T${hour}0000`, 'DURATION:PT30M', 'RRULE:FREQ=WEEKLY;COUNT=4'],
      ...[`ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${ada.address}`, 'ATTENDEE:mailto:eve@example.com'],
    ];
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('REQUEST', fields(0, '10')));
    const [event] = await eventsOf(ada);
    assert.deepEqual(
      [event.status, event.summary, event.start, event.end, event.rrule, event.organizer],
      [
        'pending',
        'Weekly, with tea',
        '2026-02-02T09:00:00.000Z',
        '2026-02-02T09:30:00.000Z',
        'FREQ=WEEKLY;COUNT=4',
        OUTSIDER,
      ],
    );
    const { feed_url: url } = (await ada.api.get('/v1/calendar/feed')).body;
    assert.match(await (await fetch(url)).text(), /^RRULE:FREQ=WEEKLY;COUNT=4\r$/m);
    // What a stranger sends, without proof, with a number that is not above, or to change another's event, does nothing.
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('REQUEST', fields(1, '12')), '198.51.100.1');
    await receiveCalendar(t, 'mallory@example.com', ada.address, calendarText('CANCEL', fields(2, '12')));
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('REQUEST', fields(0, '12')));
    assert.deepEqual(await eventsOf(ada), [event]);
    assert.equal((await ada.api.post(`${EVENTS}/${event.id}/respond`, { status: 'tentative' })).status, 200);
    const [answer] = await invitationsTo(t, OUTSIDER).then((all) =>
      all.filter(({ uid }) => uid === 'series-1@example.com'),
    );
    const attendee = answer?.event.getFirstProperty('attendee');
    assert.deepEqual(
      [answer?.method, String(attendee?.getFirstValue()).toLowerCase(), attendee?.getFirstParameter('partstat')],
      ['REPLY', `mailto:${ada.address}`, 'TENTATIVE'],
    );
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('REQUEST', fields(1, '12')));
    const [moved] = await eventsOf(ada);
    assert.deepEqual([moved.id, moved.start, moved.status], [event.id, '2026-02-02T11:00:00.000Z', 'pending']);
    await receiveCalendar(t, OUTSIDER, ada.address, calendarText('CANCEL', fields(1, '12')));
    assert.equal((await eventsOf(ada))[0].status, 'cancelled');
    assert.equal((await ada.api.delete(`${EVENTS}/${event.id}`)).status, 200);
  });

  it('the event is made whatever becomes of the invitations, and says why each was refused', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const values = [ada.accountId, 'gone@example.com', 'hard_bounce', 1];
    await t.sql('insert into suppressions (account_id, address, reason, created_at) values (?, ?, ?, ?)', ...values);
    const attendees = ['gone@example.com', 'nobody-has-this@agents.localhost', OUTSIDER];
    const { status, body } = await ada.api.post(EVENTS, { ...MEETING, attendees });
    assert.equal(status, 201);
    assert.deepEqual(await statusesOf(ada, body.id), {
      'gone@example.com': 'recipient_suppressed',
      'nobody-has-this@agents.localhost': 'no_such_recipient',
      [OUTSIDER]: 'invited',
    });
    const second = (await ada.api.post('/v1/email/claim', { address: `guest-${names++}` })).body.address;
    const unsure = (await ada.api.post(EVENTS, { ...MEETING, attendees: [OUTSIDER] })).body;
    assert.deepEqual(await statusesOf(ada, unsure.id), { [OUTSIDER]: 'organizer_required' });
    const sure = (await ada.api.post(EVENTS, { ...MEETING, attendees: [OUTSIDER], organizer: second })).body;
    assert.deepEqual([sure.organizer, await statusesOf(ada, sure.id)], [second, { [OUTSIDER]: 'invited' }]);
    const bob = await agent(t);
    const foreign = (await ada.api.post(EVENTS, { ...MEETING, attendees: [OUTSIDER], organizer: bob.address })).body;
    assert.deepEqual(await statusesOf(ada, foreign.id), { [OUTSIDER]: 'sender_not_owned' });
    const scopes = ['calendar:write', 'calendar:read'];
    const { api_key: key } = (await ada.api.post('/v1/account/keys', { name: 'cal', scopes })).body;
    const silent = await t.api(key).post(EVENTS, { ...MEETING, attendees: [OUTSIDER], organizer: second });
    assert.deepEqual([silent.status, silent.body.attendee_status[0].reason], [201, 'insufficient_scope']);
    const own = await ada.api.post(`${EVENTS}/${body.id}/respond`, { status: 'accepted' });
    assert.deepEqual([own.status, own.body.error], [409, 'not_invited']);
    assert.equal((await bob.api.post(`${EVENTS}/${body.id}/respond`, { status: 'accepted' })).status, 404);
  });
});

onEngines('both', 'invitations by mail: what the database decides', {}, (suite) => {
  it('one that is refused over the email limit uses no recipient of the day and starts no conversation', async () => {
    const { t } = suite;
    const ada = await agent(t);
    await ada.api.put('/v1/email/policy', { outbound: { max_recipients_per_day: 5 } });
    await ada.api.post('/v1/email/send', { from: ada.address, to: OUTSIDER, subject: 'Hi', text: 'Hi' });
    await t.sql(
      "update quota_counters set used = 1000000 where account_id = ? and metric like 'email%'",
      ada.accountId,
    );
    const { body } = await ada.api.post(EVENTS, { ...MEETING, attendees: [OUTSIDER] });
    assert.notEqual((await statusesOf(ada, body.id))[OUTSIDER], 'invited');
    const used = "select used from quota_counters where account_id = ? and metric = 'max_recipients_per_day'";
    assert.deepEqual(
      (await t.sql(used, ada.accountId)).map((row) => Number(row.used)),
      [1],
    );
    assert.equal((await t.sql('select id from threads where address = ?', ada.address)).length, 1);
  });

  it('concurrent changes each raise SEQUENCE and are mailed once', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const guest = `guest-${names++}@example.com`;
    const { id } = (await ada.api.post(EVENTS, { ...MEETING, attendees: [guest] })).body;
    const replies = await Promise.all(
      [1, 2, 3, 4].map((i) => ada.api.patch(`${EVENTS}/${id}`, { location: `Room ${i}` })),
    );
    assert.deepEqual(replies.map(({ body }) => body.sequence).sort(), [1, 2, 3, 4]);
    assert.deepEqual(
      (await invitationsTo(t, guest)).map(({ sequence }) => sequence),
      [0, 1, 2, 3, 4],
    );
  });
});

/** The system's: its packages are Debian's. */
const PYTHON3 = '/usr/bin/python3';
const PYTHON = `
import sys, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
for event in calendar.walk('vevent'):
    attendee = event['attendee']
    print(calendar['method'], event['uid'], event['sequence'], event['summary'], event['organizer'], attendee, attendee.params['PARTSTAT'], sep='|')
`;
const hasPython = spawnSync(PYTHON3, ['-c', 'import icalendar']).status === 0;

onEngines('any', 'invitations, to a program in another language', {}, (suite) => {
  it('python3-icalendar reads REQUEST, its change and CANCEL', {
    skip: !hasPython && 'no python3-icalendar',
  }, async () => {
    const { t } = suite;
    const ada = await agent(t);
    const guest = `guest-${names++}@example.com`;
    const { id } = (await ada.api.post(EVENTS, { ...MEETING, attendees: [guest] })).body;
    await ada.api.patch(`${EVENTS}/${id}`, { summary: 'Coffee' });
    await ada.api.delete(`${EVENTS}/${id}`);
    const seen = (await invitationsTo(t, guest)).map(({ text }) =>
      spawnSync(PYTHON3, ['-c', PYTHON], { input: text, encoding: 'utf8' }).stdout.trim(),
    );
    const line = (method: string, sequence: number, summary: string) =>
      [
        method,
        `${id}@agents.localhost`,
        sequence,
        summary,
        `mailto:${ada.address}`,
        `mailto:${guest}`,
        'NEEDS-ACTION',
      ].join('|');
    assert.deepEqual(
      seen.map((text) => text.replace(/mailto:/gi, 'mailto:')),
      [line('REQUEST', 0, MEETING.summary), line('REQUEST', 1, 'Coffee'), line('CANCEL', 2, 'Coffee')],
    );
  });
});
