import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { EVENT_TYPES } from '../../../api/events.ts';
import { limitParam, named, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import {
  type EventPage,
  type LoggedEvent,
  parseTypes,
  readEventPage,
  readEventPageBack,
  resolveAfter,
  shownEvent,
} from './event-log-query.ts';
import { typeParam } from './event-log-schema.ts';
import type { StreamRules } from './stream.ts';

const Event = named(
  'Event',
  record({
    id: Type.String({ description: 'Also a cursor: pass it as `after`, or as `before` to go back.' }),
    type: oneOf(EVENT_TYPES),
    created_at: timestamp(),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'The fields depend on `type`.' }),
  }),
);

/** Returns an event as the API shows it. */
const frame = ({ id, type, created_at, data }: LoggedEvent) => ({ id, type, created_at, data });

const EventQuery = record({
  after: Type.Optional(
    text(64, {
      description: 'Return events after this event id, or only new ones (`latest`). Default: from the beginning.',
    }),
  ),
  before: Type.Optional(text(64, { description: 'Return events before this event id, newest first.' })),
  order: Type.Optional(
    oneOf(['asc', 'desc'], {
      description: 'Oldest first (`asc`, the default) or newest first (`desc`, the default with `before`).',
    }),
  ),
  type: typeParam(),
  wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'Seconds to wait when there is no event after `after`. The reply comes with the first event.',
    }),
  ),
  limit: limitParam(50, 200),
});

type Query = {
  after?: string;
  before?: string;
  order?: 'asc' | 'desc';
  type?: string;
  wait?: number;
  limit?: number;
};

/** Whether the page goes back. @throws ApiError `invalid_request` for contradictory parameters */
function goesBack({ after, before, order, wait }: Query): boolean {
  if (before !== undefined && order === 'asc')
    throw invalidField(
      '/query/order',
      'not_allowed',
      '`before` goes back. Send it with `order=desc`, or send `after` instead.',
    );
  const back = before !== undefined || order === 'desc';
  if (back && after !== undefined)
    throw invalidField('/query/after', 'not_allowed', '`after` goes forward. To go back, send `before`.');
  if (back && wait !== undefined)
    throw invalidField('/query/wait', 'not_allowed', '`wait` waits for new events. Send it with `after`.');
  return back;
}

async function readForward(
  streams: StreamRules,
  database: Reader,
  principal: Principal,
  query: Query,
  gone: () => AbortSignal,
): Promise<EventPage> {
  const { wait: seconds } = query;
  const after = await resolveAfter(database, principal.accountId, query.after);
  const types = parseTypes(query.type);
  const { accountId, addresses } = principal;
  const request = { accountId, types, addresses, limit: query.limit as number };
  const page = await readEventPage(database, request, after);
  if (seconds === undefined || page.events.length > 0) return page;
  const found = await streams.wait(principal, { after, types, seconds, signal: gone() });
  return found ? readEventPage(database, request, after) : page;
}

const listEvents = (streams: StreamRules, database: Reader) =>
  endpoint({
    method: 'GET',
    path: '/v1/events',
    operation: 'listEvents',
    tag: 'Events',
    summary: 'List events',
    description:
      'Returns what happened to the account, in order. An event is written in the same transaction as the change it reports, and kept for 30 days. Pass the last id you have seen as `after` to miss no event. With `wait`, the reply comes as soon as there is an event.',
    auth: 'key',
    scope: 'events:read',
    addresses: 'filtered',
    effect: 'none',
    query: EventQuery,
    tools: [
      {
        name: 'wait_for_event',
        group: 'events',
        description: 'Wait for the next event of your account. Call again with after = next_cursor.',
        takes: ['type', 'after', 'wait'],
        defaults: { after: 'latest' },
        says: { after: 'Events after this id. Default: from now on.' },
        gives: ['events', 'next_cursor', 'has_more'],
        sends: { limit: 8 },
      },
    ],
    replies: {
      200: record({
        events: Type.Array(Event),
        count: Type.Integer(),
        has_more: Type.Boolean(),
        next_cursor: nullable(
          Type.String({
            description:
              'The last id of this page, or the `after` you sent. Pass it as `after` in the next call. Newest first: pass it as `before`; null at the end.',
          }),
        ),
      }),
    },
    errors: ['invalid_cursor', 'stream_limit'],
    handle: async ({ principal, query, gone }) => {
      const { accountId, addresses } = principal;
      const back = { accountId, addresses, types: parseTypes(query.type), limit: query.limit as number };
      const page = goesBack(query)
        ? await readEventPageBack(database, back, query.before)
        : await readForward(streams, database, principal, query, gone);
      return reply(200, {
        events: page.events.map((event) => frame(shownEvent(principal, event))) as never,
        count: page.events.length,
        has_more: page.hasMore,
        next_cursor: page.cursor,
      });
    },
  });

export const eventRoutes = (streams: StreamRules, database: Reader): Endpoint[] => [listEvents(streams, database)];
