import { Type } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { isCurrent } from '../../kernel/etag.ts';
import { guidance, line, media, named, nullable, record, secret, text } from '../../kernel/fields.ts';
import type { FeedRules } from './feed-rules.ts';

export interface FeedRouteDeps {
  rules: FeedRules;
  baseUrl(): string;
}

const TAG = 'Calendar';

const FeedLink = named(
  'FeedLink',
  record({
    feed_url: secret(Type.String({ description: 'Whoever has it can read the calendar; no key is needed.' })),
    cal_token: secret(Type.String()),
    how_to_subscribe: guidance(Type.Array(Type.String())),
  }),
);

function feedLink(baseUrl: string, token: string) {
  const url = `${baseUrl}/v1/calendar/feed.ics?cal_token=${token}`;
  return {
    feed_url: url,
    cal_token: token,
    how_to_subscribe: [
      'Google Calendar: Other calendars, From URL, paste feed_url.',
      `Apple Calendar: File, New Calendar Subscription, paste ${url.replace(/^https?:/, 'webcal:')}`,
      'Outlook: Add calendar, Subscribe from web, paste feed_url.',
      'POST /v1/calendar/feed/rotate makes a new link and ends this one.',
    ],
  };
}

const getFeed = ({ rules, baseUrl }: FeedRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/feed',
    operation: 'getCalendarFeed',
    tag: TAG,
    summary: 'The link that calendar programs subscribe to',
    description: 'Made at the first look, and the same from then on.',
    auth: 'key',
    effect: 'lazy',
    action: 'calendar.feed_created',
    replies: { 200: FeedLink },
    errors: [],
    handle: async ({ principal: { accountId }, now, transact }) => {
      const known = await rules.known(accountId);
      if (known !== null) return reply(200, feedLink(baseUrl(), known));
      return transact(async (tx) => reply(200, feedLink(baseUrl(), await rules.token(tx, accountId, now))));
    },
  });

const rotateFeed = ({ rules, baseUrl }: FeedRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/calendar/feed/rotate',
    operation: 'rotateCalendarFeed',
    tag: TAG,
    summary: 'Replace the feed link',
    description: 'The old link answers 404 from then on.',
    auth: 'key',
    effect: 'write',
    action: 'calendar.feed_rotated',
    replies: { 200: FeedLink },
    errors: [],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx) => reply(200, feedLink(baseUrl(), await rules.rotate(tx, principal.accountId, now)))),
  });

const readFeed = ({ rules }: FeedRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/feed.ics',
    operation: 'readCalendarFeed',
    tag: TAG,
    summary: 'The calendar as an iCalendar feed (RFC 5545)',
    description: 'Public by its token. Send the `ETag` back in `If-None-Match` to be spared what has not changed.',
    auth: 'none',
    effect: 'none',
    query: record({ cal_token: text(100, { minLength: 1 }) }),
    replies: {
      200: media('text/calendar; charset=utf-8', 'All events; stable UIDs, a SEQUENCE that rises with each change.'),
      304: Type.Null({ description: 'The copy named by `If-None-Match` still holds.' }),
    },
    errors: ['not_found'],
    handle: async ({ query, header }) => {
      const { content, etag, updatedAt } = await rules.open(query.cal_token);
      const headers = {
        etag,
        'last-modified': new Date(updatedAt).toUTCString(),
        // Browsers and proxies on the way must ask: a rotated link is dead at once.
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      };
      if (isCurrent(header('if-none-match'), etag)) return reply(304, null, headers);
      return reply(200, await content(), { ...headers, 'content-disposition': 'inline; filename="calendar.ics"' });
    },
  });

const Settings = record({ name: Type.String({ description: 'What calendar programs show.' }) });

const getSettings = ({ rules }: FeedRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/settings',
    operation: 'getCalendarSettings',
    tag: TAG,
    summary: 'The calendar’s settings',
    auth: 'key',
    effect: 'none',
    replies: { 200: Settings },
    errors: [],
    handle: async ({ principal }) => reply(200, { name: await rules.name(principal.accountId) }),
  });

const putSettings = ({ rules }: FeedRouteDeps) =>
  endpoint({
    method: 'PUT',
    path: '/v1/calendar/settings',
    operation: 'setCalendarSettings',
    tag: TAG,
    summary: 'Name the calendar',
    auth: 'key',
    effect: 'write',
    action: 'calendar.settings_changed',
    body: record({ name: nullable(line(100, { minLength: 1, description: 'Null for the default.' })) }),
    replies: { 200: Settings },
    errors: [],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx) => reply(200, { name: await rules.rename(tx, principal.accountId, body.name, now) })),
  });

export const feedRoutes = (deps: FeedRouteDeps): Endpoint[] => [
  getFeed(deps),
  rotateFeed(deps),
  readFeed(deps),
  getSettings(deps),
  putSettings(deps),
];
