import { type Endpoint, endpoint, reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { guidance, line, media, named, nullable, record, secret, text } from '../../api/fields.ts';
import { requireScope } from '../../api/scopes.ts';
import { WAY_REFUSALS } from '../../api/way-out.ts';
import { isCurrent } from '../../base/etag.ts';
import { Type } from '../../base/schema.ts';
import type { FeedRules } from './calendar-feed.ts';

const TAG = 'Calendar';
const NO_LINK = 'This calendar has no feed link. None is made while the deletion of the account waits.';

const FeedLink = named(
  'FeedLink',
  record({
    feed_url: secret(Type.String({ description: 'Anyone with this URL can read the calendar without a key.' })),
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
      'Google Calendar: choose Other calendars, From URL, and paste feed_url.',
      `Apple Calendar: choose File, New Calendar Subscription, and paste ${url.replace(/^https?:/, 'webcal:')}`,
      'Outlook: choose Add calendar, Subscribe from web, and paste feed_url.',
      'POST /v1/calendar/feed/rotate replaces this link.',
    ],
  };
}

const getFeed = (rules: FeedRules, baseUrl: () => string) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/feed',
    operation: 'getCalendarFeed',
    tag: TAG,
    summary: 'Get the feed link',
    description:
      'Calendar apps can subscribe to this link. The first call creates it. It stays the same until you replace it. A named key gets its own, which ends with the key.',
    auth: 'key',
    scope: 'calendar:read',
    outlives: true,
    addresses: 'none',
    effect: 'lazy',
    leaves: ['feed'],
    bucket: 'inspect',
    action: 'calendar.feed_created',
    replies: { 200: FeedLink },
    errors: ['not_found', ...WAY_REFUSALS],
    handle: async ({ principal, now, transact }) => {
      const known = await rules.findToken(principal);
      if (known !== null) return reply(200, feedLink(baseUrl(), known));
      if (principal.deletion !== null) throw new ApiError('not_found', { message: NO_LINK });
      return transact(async (tx) => reply(200, feedLink(baseUrl(), await rules.ensureToken(tx, principal, now))));
    },
  });

const rotateFeed = (rules: FeedRules, baseUrl: () => string) =>
  endpoint({
    method: 'POST',
    path: '/v1/calendar/feed/rotate',
    operation: 'rotateCalendarFeed',
    tag: TAG,
    summary: 'Replace the feed link',
    description: 'The old link returns 404 from then on.',
    auth: 'key',
    scope: 'calendar:write',
    outlives: true,
    addresses: 'none',
    effect: 'write',
    leaves: ['feed'],
    bucket: 'revoke',
    action: 'calendar.feed_rotated',
    replies: { 200: FeedLink },
    errors: WAY_REFUSALS,
    handle: async ({ principal, now, transact }) => {
      // The reply holds a link that reads the calendar.
      requireScope(principal, 'calendar:read');
      return transact(async (tx) => reply(200, feedLink(baseUrl(), await rules.rotate(tx, principal, now))));
    },
  });

const readFeed = (rules: FeedRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/feed.ics',
    operation: 'readCalendarFeed',
    tag: TAG,
    summary: 'Get the calendar as iCalendar',
    description:
      'Requires no key, only the token from the link. The format is RFC 5545. Send the `ETag` in `If-None-Match` to get 304 while nothing has changed.',
    auth: 'none',
    effect: 'none',
    leaves: ['feed'],
    query: record({ cal_token: text(100, { minLength: 1 }) }),
    replies: {
      200: media(
        'text/calendar; charset=utf-8',
        'All events. A UID never changes, and SEQUENCE rises with each change.',
      ),
      304: Type.Null({ description: 'The copy named by `If-None-Match` is still current.' }),
    },
    errors: ['not_found'],
    handle: async ({ query, now, header }) => {
      const { content, etag, updatedAt } = await rules.open(query.cal_token, now);
      const headers = {
        etag,
        'last-modified': new Date(updatedAt).toUTCString(),
        // Browsers and proxies must revalidate, because a rotated link stops working at once.
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      };
      if (isCurrent(header('if-none-match'), etag)) return reply(304, null, headers);
      return reply(200, await content(), { ...headers, 'content-disposition': 'inline; filename="calendar.ics"' });
    },
  });

const Settings = record({ name: Type.String({ description: 'The name that calendar apps show.' }) });

const getSettings = (rules: FeedRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/settings',
    operation: 'getCalendarSettings',
    tag: TAG,
    summary: 'Get the calendar settings',
    description: 'The name that calendar apps show.',
    auth: 'key',
    scope: 'calendar:read',
    addresses: 'none',
    effect: 'none',
    replies: { 200: Settings },
    errors: [],
    handle: async ({ principal }) => reply(200, { name: await rules.name(principal.accountId) }),
  });

const putSettings = (rules: FeedRules) =>
  endpoint({
    method: 'PUT',
    path: '/v1/calendar/settings',
    operation: 'setCalendarSettings',
    tag: TAG,
    summary: 'Update the calendar settings',
    description: 'Sets the name that calendar apps show.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    leaves: [],
    action: 'calendar.settings_changed',
    body: record({ name: nullable(line(100, { minLength: 1, description: 'Null for the default.' })) }),
    replies: { 200: Settings },
    errors: [],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx) => reply(200, { name: await rules.rename(tx, principal.accountId, body.name, now) })),
  });

export const feedRoutes = (rules: FeedRules, baseUrl: () => string): Endpoint[] => [
  getFeed(rules, baseUrl),
  rotateFeed(rules, baseUrl),
  readFeed(rules),
  getSettings(rules),
  putSettings(rules),
];
