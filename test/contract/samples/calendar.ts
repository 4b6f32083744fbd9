import { by, expect, inbox, type Prepare } from './sample.ts';

const EVENT = { summary: 'Stand-up', start: '2026-01-14T09:00:00+01:00', end: '2026-01-14T09:15:00+01:00' };

const inEvent =
  (body?: unknown): Prepare =>
  async (t) => {
    const account = await t.createAccount();
    const made = await expect(201, account.api.post('/v1/calendar/events', EVENT));
    return { ...by(account), path: `/v1/calendar/events/${made.body.id}`, ...(body === undefined ? {} : { body }) };
  };

/** Events, settings and the feed. */
export const calendarSamples: Record<string, Prepare> = {
  createCalendarEvent: async () => ({
    body: { ...EVENT, description: 'Daily.', location: 'Room 1', attendees: ['ada@example.com'] },
  }),
  getCalendarEvent: inEvent(),
  updateCalendarEvent: inEvent({ summary: 'Moved', description: null }),
  deleteCalendarEvent: inEvent(),
  respondToInvitation: async (t) => {
    const [ada, bob] = [await inbox(t), await inbox(t)];
    await expect(201, ada.account.api.post('/v1/calendar/events', { ...EVENT, attendees: [bob.address] }));
    await t.app.worker.runDue();
    const [event] = (await expect(200, bob.account.api.get('/v1/calendar/events'))).body.events;
    return { ...by(bob.account), path: `/v1/calendar/events/${event.id}/respond`, body: { status: 'accepted' } };
  },
  readCalendarFeed: async (t) => {
    const { api } = await t.createAccount();
    const { cal_token: token } = (await expect(200, api.get('/v1/calendar/feed'))).body;
    return { path: `/v1/calendar/feed.ics?cal_token=${token}` };
  },
};
