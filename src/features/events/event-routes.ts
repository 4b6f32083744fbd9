import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { EVENT_TYPES } from '../../kernel/events.ts';
import { limitParam, nullable, oneOf, record, text, timestamp, waitParam } from '../../kernel/fields.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { WaitFor } from '../../kernel/wait.ts';
import { type LoggedEvent, readEventPage } from './event-rules.ts';

const Event = record({
  id: Type.String({ description: 'Also the cursor: pass it as `after`.' }),
  type: oneOf(EVENT_TYPES),
  created_at: timestamp(),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'Depends on `type`.' }),
});

/** An event as the wire has it. */
const frame = ({ id, type, created_at, data }: LoggedEvent) => ({ id, type, created_at, data });

const listEvents = (database: Reader, waitFor: WaitFor) =>
  endpoint({
    method: 'GET',
    path: '/v1/events',
    operation: 'listEvents',
    tag: 'Events',
    summary: 'What happened to this account, in order',
    description:
      'Every fact is kept for 30 days and is written in the same transaction as what caused it. Ask with the last id you have seen and you miss nothing.',
    auth: 'key',
    effect: 'none',
    query: record({
      after: Type.Optional(text(64, { description: 'The last event id you have; from the beginning when absent.' })),
      limit: limitParam(50, 200),
      wait: waitParam(),
    }),
    replies: {
      200: record({
        events: Type.Array(Event),
        count: Type.Integer(),
        has_more: Type.Boolean(),
        next_cursor: nullable(
          Type.String({ description: 'The last id of this page, or the `after` you sent; keep it for the next call.' }),
        ),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async (call) => {
      const { accountId } = call.principal;
      const { after, limit, wait } = call.query;
      const page = await waitFor(
        call,
        wait,
        () => readEventPage(database, accountId, after, limit as number),
        ({ events }) => events.length > 0,
      );
      return reply(200, {
        events: page.events.map(frame) as never,
        count: page.events.length,
        has_more: page.hasMore,
        next_cursor: page.cursor,
      });
    },
  });

export const eventRoutes = (database: Reader, waitFor: WaitFor): Endpoint[] => [listEvents(database, waitFor)];
