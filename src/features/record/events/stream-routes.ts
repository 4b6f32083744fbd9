import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import { media, record, secret, text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { typeParam } from './event-log-schema.ts';
import type { StreamRules } from './stream.ts';
import { mintTicket, TICKET_TTL_SECONDS } from './ticket.ts';

const AFTER = Type.Optional(text(64, { description: 'Start after this event id. Default: with the next event.' }));

const STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  connection: 'close',
};

const stream = (streams: StreamRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/events/stream',
    operation: 'streamEvents',
    tag: 'Events',
    summary: 'Stream events (server-sent events)',
    description:
      'Sends each event as it happens. Resume with the last id you have, as `Last-Event-ID` (browsers send it) or `after`: no event is missed or repeated. A comment line every 30 seconds keeps the connection open. The stream ends when its credential does.',
    auth: 'key',
    scope: 'events:read',
    addresses: 'filtered',
    effect: 'none',
    query: record({ after: AFTER, type: typeParam() }),
    replies: {
      200: media('text/event-stream', 'Events in the form of the HTML standard: `id`, `event`, `data` (JSON).'),
    },
    errors: ['invalid_cursor', 'stream_limit'],
    handle: async ({ principal, query, header }) => {
      const body = await streams.open(principal, { after: header('last-event-id') ?? query.after, type: query.type });
      return reply(200, body, STREAM);
    },
  });

const operatorStream = (streams: StreamRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/operator/events/stream',
    operation: 'streamOperatorEvents',
    tag: 'Events',
    summary: 'Stream the events of your agents',
    description:
      'For an operator’s session: what happens to up to 50 agents from now on, each event with its `account_id`. It cannot be resumed.',
    model: false,
    auth: 'person',
    scope: 'events:read',
    wholeAccount: true,
    effect: 'none',
    query: record({ type: typeParam() }),
    replies: { 200: media('text/event-stream', 'Events, as `/v1/events/stream` sends them, without `id:`.') },
    errors: ['operator_required', 'stream_limit'],
    handle: async ({ principal, query }) => reply(200, await streams.openOfOperator(principal, query.type), STREAM),
  });

const ticket = endpoint({
  method: 'POST',
  path: '/v1/ws/tickets',
  operation: 'createSocketTicket',
  tag: 'Events',
  summary: 'Create a ticket for a WebSocket',
  description:
    'Browsers cannot send an `Authorization` header with a WebSocket. Connect to `/v1/ws?ticket=…` within a minute. A ticket works once. The socket closes when the credential that created the ticket ends.',
  auth: 'key',
  scope: 'events:read',
  addresses: 'filtered',
  effect: 'write',
  leaves: [],
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
  summary: 'Stream events (WebSocket)',
  description:
    'Upgrade with an `Authorization` header or `?ticket=`. Resume with `?after=` and the last id you have. Select types with `?type=`. An upgrade counts as a request. Each frame is `{id, type, created_at, data}`. A ping comes every 30 seconds. A client that reads too slowly is disconnected with code 1013 and can resume.',
  auth: 'none',
  effect: 'none',
  query: record({ ticket: Type.Optional(text(256)), token: Type.Optional(text(256)), after: AFTER, type: typeParam() }),
  replies: { 101: Type.Null({ description: 'Switching protocols.' }) },
  errors: ['upgrade_required', 'unauthorized', 'invalid_cursor', 'rate_limited', 'stream_limit'],
  handle: async () => {
    throw new ApiError('upgrade_required', { headers: { upgrade: 'websocket', connection: 'Upgrade' } });
  },
});

export const streamRoutes = (streams: StreamRules): Endpoint[] => [
  stream(streams),
  operatorStream(streams),
  ticket,
  socket,
];
