import { asText, type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import {
  consoleParam,
  cursorParam,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  statusParam,
  text,
  timestamp,
} from '../../../api/fields.ts';
import { decodeCursor, missingError } from '../../../api/page.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { csvHeaders, csvOf, wantsCsv } from '../../../http/csv.ts';
import { CALLS_MAX, CREDENTIALS, type LoggedCall, type RequestLog } from './logged-calls.ts';

/** @throws ApiError `invalid_cursor` */
function beforeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const before = decodeCursor(cursor, ['number'])?.[0];
  if (typeof before !== 'number') throw new ApiError('invalid_cursor');
  return before;
}

const LoggedRequest = named(
  'LoggedRequest',
  record({
    request_id: Type.String(),
    at: timestamp(),
    method: Type.String(),
    path: Type.String({ description: 'A pattern.' }),
    status: Type.Integer(),
    ms: Type.Integer(),
    credential: oneOf(CREDENTIALS),
    actor: Type.String({ description: 'The start of the key, or `session`.' }),
    key: nullable(Type.String({ description: 'The id of the key, delegate or grant.' })),
    console: Type.Boolean({ description: 'The console of a person read it.' }),
  }),
);

const shown = ({ requestId, at, method, path, status, ms, credential, actor, key, isConsole }: LoggedCall) => ({
  request_id: requestId,
  at: iso(at),
  method,
  path,
  status,
  ms,
  credential,
  actor,
  key,
  console: isConsole,
});
type Shown = ReturnType<typeof shown>;

const CSV_COLUMNS = {
  at: (call: Shown) => call.at,
  method: (call: Shown) => call.method,
  path: (call: Shown) => call.path,
  status: (call: Shown) => call.status,
  ms: (call: Shown) => call.ms,
  credential: (call: Shown) => call.credential,
  actor: (call: Shown) => call.actor,
  key: (call: Shown) => call.key,
  request_id: (call: Shown) => call.request_id,
};

/** What both calls have. */
const READ = {
  method: 'GET',
  tag: 'Audit',
  auth: 'key',
  scope: 'audit:read',
  addresses: 'none',
  effect: 'none',
} as const;

const list = (log: Pick<RequestLog, 'list'>) =>
  endpoint({
    ...READ,
    path: '/v1/requests',
    operation: 'listRequests',
    summary: 'List the latest requests of the account',
    description: `At most ${CALLS_MAX}, newest first, in the memory of the process that answers. With \`Accept: text/csv\` as a table.`,
    compressed: true,
    alsoText: 'text/csv',
    query: record({
      from: Type.Optional(timestamp({ description: 'Inclusive.' })),
      to: Type.Optional(timestamp({ description: 'Exclusive.' })),
      key: Type.Optional(line(100, { description: 'The id or start of a key, or a kind of credential.' })),
      path: Type.Optional(line(200, { description: 'What the path begins with.' })),
      status: statusParam(),
      console: consoleParam(),
      limit: limitParam(100, CALLS_MAX),
      cursor: cursorParam(),
    }),
    replies: { 200: record({ requests: Type.Array(LoggedRequest), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, header }) => {
      const filter = {
        from: query.from === undefined ? 0 : Date.parse(query.from),
        to: query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to),
        key: query.key ?? null,
        path: query.path ?? null,
        status: query.status ?? null,
        console: query.console ?? true,
      };
      const page = log.list(principal.accountId, filter, beforeOf(query.cursor), query.limit as number);
      const requests = page.calls.map(shown);
      if (wantsCsv(header('accept')))
        return asText(200, csvOf(CSV_COLUMNS, requests), csvHeaders('/v1/requests', query, page.nextCursor));
      return reply(200, { requests, next_cursor: page.nextCursor });
    },
  });

const get = (log: Pick<RequestLog, 'find'>) =>
  endpoint({
    ...READ,
    path: '/v1/requests/{id}',
    operation: 'getRequest',
    summary: 'Get a request of the account',
    description: '404 `no_longer_kept` once it is forgotten, and by a process that did not answer it.',
    params: record({ id: text(64, { description: 'The `X-Request-Id` of its reply.' }) }),
    replies: { 200: LoggedRequest },
    errors: ['not_found', 'no_longer_kept'],
    handle: async ({ principal, params, now }) => {
      const found = log.find(principal.accountId, params.id);
      // One that is forgotten, another account's and one that never was are answered alike.
      if (found === undefined) throw missingError('req', params.id, now, 0);
      return reply(200, shown(found));
    },
  });

export const requestLogRoutes = (log: Pick<RequestLog, 'list' | 'find'>): Endpoint[] => [list(log), get(log)];
