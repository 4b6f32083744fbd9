import { type FeatureContext, feature } from '../../feature.ts';
import { deriveToken } from '../../kernel/secret.ts';
import { calendarEventRoutes } from './event-routes.ts';
import { EventRules } from './event-rules.ts';
import { feedRoutes } from './feed-routes.ts';
import { FeedRules } from './feed-rules.ts';

/** The calendar of each account, and the feed that calendar programs subscribe to. */
export const calendarFeature = feature('calendar', (needs: FeatureContext) => {
  const { config, database, events, baseUrl, hashKey } = needs;
  const tokenFor = (accountId: string, generation: number): string =>
    deriveToken('cal_', hashKey, `calendar feed ${accountId} ${generation}`);
  return {
    endpoints: [
      ...calendarEventRoutes({ rules: new EventRules(events.append), database }),
      ...feedRoutes({ rules: new FeedRules({ database, mailDomain: config.mailDomain, tokenFor }), baseUrl }),
    ],
  };
});
