import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Securing } from '../../kernel/securing.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { CALENDAR_EVENTS, FEED_TOKEN } from './calendar-data.ts';
import { calendarEventRoutes } from './event-routes.ts';
import { EventRules } from './event-rules.ts';
import { feedRoutes } from './feed-routes.ts';
import { FeedRules } from './feed-rules.ts';

/** The calendar of each account, and the feed that calendar programs subscribe to. */
export const calendarFeature = feature('calendar', (needs: FeatureContext) => {
  const { config, database, events, baseUrl, secrets } = needs;
  const { sealer, formerKey } = secrets;
  const feeds = new FeedRules({ database, mailDomain: config.mailDomain, sealer, formerKey });
  return {
    exports: [exportOf({ table: 'calendar_events', columns: CALENDAR_EVENTS, key: ['start_at', 'id'] })],
    erases: [rowsOf('calendar_events', ['id']), rowsOf('calendars', ['account_id'])],
    endpoints: [
      ...calendarEventRoutes({ rules: new EventRules(events.append), database }),
      ...feedRoutes({ rules: feeds, baseUrl }),
    ],
    sealed: [FEED_TOKEN],
    secure: (tx: Tx, { accountId, now }: Securing) => feeds.replaceLink(tx, accountId, now),
    open: () => feeds.copyDerivedLinks(),
  };
});
