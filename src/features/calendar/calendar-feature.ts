import { type FeatureContext, feature } from '../../feature.ts';
import { deriveToken } from '../../kernel/secret.ts';
import { calendarEventRoutes } from './event-routes.ts';
import { createEventRules } from './event-rules.ts';
import { feedRoutes } from './feed-routes.ts';
import { createFeedRules } from './feed-rules.ts';

/** The calendar of each account, and the feed that calendar programs subscribe to. */
export const calendarFeature = feature('calendar', (needs: FeatureContext) => {
  const { config, database, limits, events, baseUrl, hashKey } = needs;
  const tokenFor = (accountId: string, generation: number): string =>
    deriveToken('cal_', hashKey, `calendar feed ${accountId} ${generation}`);
  return {
    endpoints: [
      ...calendarEventRoutes({ rules: createEventRules(limits, events.append), database }),
      ...feedRoutes({ rules: createFeedRules({ database, mailDomain: config.mailDomain, tokenFor }), baseUrl }),
    ],
  };
});
