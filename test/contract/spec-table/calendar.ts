import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const EVENT = ['id', 'summary', 'start', 'end', 'description', 'location', 'attendees', 'created_at', 'updated_at'];

export const calendar: readonly SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/calendar/events',
    auth: 'key',
    body: ['summary!', 'start!', 'end!', 'description', 'location', 'attendees'],
    status: 201,
    reply: EVENT,
    errors: [400],
  },
  {
    method: 'GET',
    path: '/v1/calendar/events',
    auth: 'key',
    query: ['from', 'to', 'limit'],
    status: 200,
    reply: ['events', ...inside('events[]', EVENT)],
    errors: [],
  },
];
