import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../test/support/harness.ts';
import { calendarText, receiveCalendar } from '../../../test/support/invitations.ts';
import { DAY_MS } from '../../base/period.ts';

const EVENTS = '/v1/calendar/events';
const MEETING = { summary: 'Tea', start: '2026-01-20T09:00:00Z', end: '2026-01-20T10:00:00Z' };
/** A network that the domain's SPF record does not name. */
const ELSEWHERE = '198.51.100.1';

interface Asked {
  uid: string;
  from: string;
  to: string;
  sequence?: number;
  hour?: string;
  more?: readonly string[];
}

const request = ({ uid, from, to, sequence = 0, hour = '09', more = [] }: Asked): string[] => [
  ...[`UID:${uid}`, `SEQUENCE:${sequence}`, `SUMMARY:${uid} at ${hour}`, `ORGANIZER:mailto:${from}`],
  ...[`DTSTART:20260120T${hour}0000Z`, 'DURATION:PT1H', `ATTENDEE:mailto:${to}`, ...more],
];

/** Each a moment after the one before, so that one is the oldest. */
function ask(t: TestApp, asked: Asked, ip?: string): Promise<void> {
  t.clock.advance(1);
  return receiveCalendar(t, asked.from, asked.to, calendarText('REQUEST', request(asked)), ip);
}

/** The summaries of all events, and their number as the list says it. */
async function listed({ api }: TestAgent) {
  const { events, total } = (await api.get(`${EVENTS}?limit=100`)).body;
  assert.equal(total, events.length);
  return events.map(({ summary }: { summary: string }) => summary.split(' ')[0]).sort();
}

const usedOf = async ({ api }: TestAgent): Promise<number> => (await api.get('/v1/usage')).body.calendar_events.used;
const times = (many: number): number[] => Array.from({ length: many }, (_, i) => i);

onEngines('any', 'invitations of strangers', { defaultLimits: true }, (suite) => {
  it('N1: 105 requests of strangers over SMTP leave the calendar free for its account', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (const i of times(105)) {
      const from = `stranger-${i}@flood.example`;
      const text = calendarText('REQUEST', request({ uid: `flood-${i}`, from, to: ada.address }));
      const head = [`From: ${from}`, `To: ${ada.address}`, 'Subject: x', 'MIME-Version: 1.0'];
      const raw = [...head, 'Content-Type: text/calendar; method=REQUEST', '', text].join('\r\n');
      await t.sendSmtp({ from, to: ada.address, raw });
    }
    await t.app.worker.runDue();
    assert.equal((await listed(ada)).length, 20);
    assert.equal(await usedOf(ada), 0);
    const own = await ada.api.post(EVENTS, MEETING);
    assert.equal(own.status, 201, own.text);
    assert.equal(await usedOf(ada), 1);
    assert.equal((await ada.api.get(`/v1/inbox/${ada.address}`)).body.total, 105, 'the mails themselves have arrived');
  });
});

const OPTIONS = {
  limits: { calendar_invitations: 4, calendar_invitations_per_sender: 3, free: { calendar_events: 2 } },
};

onEngines('any', 'the room of invitations', OPTIONS, (suite) => {
  it('N1: an answer makes it an ordinary event, which counts: 402 when the calendar is full, and it goes on waiting', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const to = ada.address;
    for (const i of times(4)) await ask(t, { uid: `p-${i}`, from: `p${i}@example.com`, to });
    const answer = async (i: number, status: string) => {
      const { events } = (await ada.api.get(EVENTS)).body;
      const { id } = events.find(({ summary }: { summary: string }) => summary.startsWith(`p-${i}`));
      return ada.api.post(`${EVENTS}/${id}/respond`, { status });
    };
    assert.equal((await ada.api.post(EVENTS, MEETING)).status, 201);
    assert.equal((await answer(0, 'declined')).body.status, 'declined');
    assert.equal(await usedOf(ada), 1);
    assert.equal((await answer(0, 'accepted')).body.status, 'accepted');
    assert.equal((await answer(0, 'tentative')).body.status, 'tentative');
    assert.equal(await usedOf(ada), 2);
    const mails = (await t.outboxMails()).length;
    const full = await answer(1, 'accepted');
    assert.deepEqual([full.status, full.body.error], [402, 'calendar_limit']);
    assert.equal((await t.outboxMails()).length, mails);
    assert.equal((await ada.api.post(EVENTS, MEETING)).status, 402);
    for (const { id } of (await ada.api.get(EVENTS)).body.events) await ada.api.delete(`${EVENTS}/${id}`);
    assert.deepEqual([await usedOf(ada), await listed(ada)], [0, []]);
    // A change of the time asks again; the event goes on counting.
    await ask(t, { uid: 'p-5', from: 'p5@example.com', to });
    await answer(5, 'accepted');
    await ask(t, { uid: 'p-5', from: 'p5@example.com', to, sequence: 1, hour: '11' });
    assert.equal((await ada.api.get(EVENTS)).body.events[0].status, 'pending');
    assert.equal(await usedOf(ada), 1);
  });

  it('N9: a change without proof is shown beside an invitation without proof, and changes nothing of it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const asked = { uid: 'meeting', from: 'olga@example.com', to: ada.address };
    await ask(t, asked, ELSEWHERE);
    const read = async () => (await ada.api.get(EVENTS)).body.events[0];
    const first = await read();
    assert.equal(first.proposal, undefined);
    await ask(t, { ...asked, sequence: 7, hour: '11' }, ELSEWHERE);
    const proposal = {
      recurrence_id: null,
      sequence: 7,
      cancelled: false,
      summary: 'meeting at 11',
      location: null,
      start: '2026-01-20T11:00:00.000Z',
      end: '2026-01-20T12:00:00.000Z',
    };
    assert.deepEqual(await read(), { ...first, proposal });
    const cancel = calendarText('CANCEL', request({ ...asked, sequence: 8 }));
    await receiveCalendar(t, asked.from, asked.to, cancel, ELSEWHERE);
    const { status, proposal: other } = await read();
    assert.deepEqual([status, other.sequence, other.cancelled], ['pending', 8, true]);
    // What is proven is applied, and only what is proven from then on.
    await ask(t, { ...asked, sequence: 1, hour: '13' });
    const proven = await read();
    assert.deepEqual(
      [proven.id, proven.sequence, proven.start, proven.proposal],
      [first.id, 1, '2026-01-20T13:00:00.000Z', undefined],
    );
    await ask(t, { ...asked, sequence: 9 }, ELSEWHERE);
    assert.deepEqual(await read(), proven);
  });

  it('N9: neither does one of a single day of a series', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const asked = { uid: 'series', from: 'olga@example.com', to: ada.address };
    await ask(t, { ...asked, more: ['RRULE:FREQ=DAILY;COUNT=5'] }, ELSEWHERE);
    const [first] = (await ada.api.get(EVENTS)).body.events;
    await ask(t, { ...asked, sequence: 1, hour: '15', more: ['RECURRENCE-ID:20260120T090000Z'] }, ELSEWHERE);
    const { proposal, ...shown } = (await ada.api.get(EVENTS)).body.events[0];
    assert.deepEqual(shown, first);
    assert.deepEqual(
      [proposal.recurrence_id, proposal.start],
      [MEETING.start.replace('Z', '.000Z'), '2026-01-20T15:00:00.000Z'],
    );
  });
});

onEngines('both', 'the room of invitations: what the database decides', OPTIONS, (suite) => {
  it('N1: a sender has three at a time; the oldest unproven one goes first, and never a proven one for it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const to = ada.address;
    await ask(t, { uid: 'proven-1', from: 'olga@example.com', to });
    for (const i of times(5)) await ask(t, { uid: `forged-${i}`, from: 'olga@example.com', to }, ELSEWHERE);
    assert.deepEqual(await listed(ada), ['forged-3', 'forged-4', 'proven-1']);
    for (const i of times(3)) await ask(t, { uid: `other-${i}`, from: `other-${i}@example.org`, to }, ELSEWHERE);
    assert.deepEqual(await listed(ada), ['other-0', 'other-1', 'other-2', 'proven-1']);
    for (const i of times(3)) await ask(t, { uid: `proven-${i + 2}`, from: `p${i}@example.com`, to });
    assert.deepEqual(await listed(ada), ['proven-1', 'proven-2', 'proven-3', 'proven-4']);
    await ask(t, { uid: 'forged-5', from: 'eve@example.org', to }, ELSEWHERE);
    await ask(t, { uid: 'proven-5', from: 'p5@example.com', to });
    assert.deepEqual(await listed(ada), ['proven-1', 'proven-2', 'proven-3', 'proven-4'], 'no proven one goes');
  });

  it('N1: a proven one takes the place of one that is over, cancelled or declined', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const to = ada.address;
    const series = { uid: 'series', from: 'p0@example.com', to, more: ['RRULE:FREQ=DAILY'] };
    await ask(t, series);
    for (const i of times(3)) await ask(t, { uid: `p-${i + 1}`, from: `p${i + 1}@example.com`, to });
    const { events } = (await ada.api.get(EVENTS)).body;
    const { id } = events.find(({ summary }: { summary: string }) => summary.startsWith('p-2'));
    assert.equal((await ada.api.post(`${EVENTS}/${id}/respond`, { status: 'declined' })).status, 200);
    await ask(t, { uid: 'p-4', from: 'p4@example.com', to });
    assert.deepEqual(await listed(ada), ['p-1', 'p-3', 'p-4', 'series']);
    t.clock.advance(7 * DAY_MS);
    await ask(t, { uid: 'forged', from: 'eve@example.org', to }, ELSEWHERE);
    await ask(t, { uid: 'p-5', from: 'p5@example.com', to });
    assert.deepEqual(await listed(ada), ['p-3', 'p-4', 'p-5', 'series']);
  });

  it('N1: parallel invitations never exceed the room, and parallel acceptances never the calendar', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const to = ada.address;
    await Promise.all(times(12).map((i) => ask(t, { uid: `u-${i}`, from: `u${i}@example.org`, to }, ELSEWHERE)));
    await t.app.worker.runDue();
    assert.equal((await listed(ada)).length, 4);
    const { events } = (await ada.api.get(EVENTS)).body;
    const replies = await Promise.all(
      events.map(({ id }: { id: string }) => ada.api.post(`${EVENTS}/${id}/respond`, { status: 'accepted' })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 402, 402]);
    assert.equal(await usedOf(ada), 2);
  });
});
