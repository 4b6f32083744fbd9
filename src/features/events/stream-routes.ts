import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { ApiError } from '../../kernel/errors.ts';
import { media, record, secret, text } from '../../kernel/fields.ts';
import { typeParam } from './event-schema.ts';
import type { StreamRules } from './stream-rules.ts';
import { mintTicket, TICKET_TTL_SECONDS } from './ticket-rules.ts';

const AFTER = Type.Optional(
  text(64, { description: 'The last event id you have; only what happens from now on when absent.' }),
);

const stream = (streams: StreamRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/events/stream',
    operation: 'streamEvents',
    tag: 'Events',
    summary: 'Follow the events as they happen (server-sent events)',
    description:
      'Send `Last-Event-ID` (browsers do) or `after` with the last id you have, and nothing is missed or repeated. A comment line every 30 seconds keeps the connection. It ends with the credential that opened it.',
    auth: 'key',
    effect: 'none',
    query: record({ after: AFTER, type: typeParam() }),
    replies: {
      200: media('text/event-stream', 'Events in the form of the HTML standard: `id`, `event`, `data` (JSON).'),
    },
    errors: ['invalid_cursor', 'stream_limit'],
    handle: async ({ principal, query, header }) => {
      const body = await streams.open(principal, { after: header('last-event-id') ?? query.after, type: query.type });
      return reply(200, body, {
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        connection: 'close',
      });
    },
  });

const ticket = endpoint({
  method: 'POST',
  path: '/v1/ws/tickets',
  operation: 'createSocketTicket',
  tag: 'Events',
  summary: 'A ticket that opens a WebSocket from a browser',
  description:
    'Browsers cannot send an `Authorization` header with a WebSocket: connect to `/v1/ws?ticket=…` within a minute. It works once, and the socket ends with the credential that asked for the ticket.',
  auth: 'key',
  effect: 'write',
  action: 'socket.ticket_issued',
  replies: { 201: record({ ticket: secret(Type.String()), expires_in: Type.Integer({ description: 'Seconds.' }) }) },
  errors: [],
  handle: async ({ principal, now, transact }) =>
    transact(async (tx) =>
      reply(201, { ticket: await mintTicket(tx, principal, now), expires_in: TICKET_TTL_SECONDS }),
    ),
});

const socket = endpoint({
  method: 'GET',
  path: '/v1/ws',
  operation: 'openWebSocket',
  tag: 'Events',
  summary: 'Follow the events as they happen (WebSocket)',
  description:
    'Upgrade with an `Authorization` header or `?ticket=`; resume with `?after=` and the last id you have; narrow with `?type=`. An upgrade counts as a request. Frames: `{id, type, created_at, data}`. A ping comes every 30 seconds; a client that cannot keep up is closed with 1013 and resumes.',
  auth: 'none',
  effect: 'none',
  query: record({ ticket: Type.Optional(text(256)), token: Type.Optional(text(256)), after: AFTER, type: typeParam() }),
  replies: { 101: Type.Null({ description: 'Switching protocols.' }) },
  errors: ['upgrade_required', 'unauthorized', 'invalid_cursor', 'rate_limited', 'stream_limit'],
  handle: async () => {
    throw new ApiError('upgrade_required', { headers: { upgrade: 'websocket', connection: 'Upgrade' } });
  },
});

export const streamRoutes = (streams: StreamRules): Endpoint[] => [stream(streams), ticket, socket];
