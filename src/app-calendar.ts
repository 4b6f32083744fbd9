import type { Base } from './app-parts.ts';
import { calendarEventRoutes } from './features/calendar/event-routes.ts';
import { createEventRules } from './features/calendar/event-rules.ts';
import { feedRoutes } from './features/calendar/feed-routes.ts';
import { createFeedRules } from './features/calendar/feed-rules.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { AppendEvent } from './kernel/events.ts';
import { deriveToken } from './kernel/secret.ts';
import type { Tx } from './kernel/transaction.ts';

/** Each account's calendar, and the feed that calendar programs subscribe to. */
export const calendarEndpoints = (
  { config, database, baseUrl, hashKey }: Base,
  appendEvent: AppendEvent<Tx>,
): Endpoint[] => [
  ...calendarEventRoutes({ rules: createEventRules(config.limits, appendEvent), database }),
  ...feedRoutes({
    rules: createFeedRules({
      database,
      mailDomain: config.mailDomain,
      tokenFor: (accountId, generation) => deriveToken('cal_', hashKey, `calendar feed ${accountId} ${generation}`),
    }),
    baseUrl,
  }),
];
