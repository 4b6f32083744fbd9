import type { CallCount } from '../../../api/metering/call-bucket.ts';
import type { Principal } from '../../../api/principal.ts';
import { ACCOUNT_COUNTS } from '../../../db/slot-counter.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { purgeLimits } from './email-quota.ts';
import { LimitHits } from './limit-hits.ts';
import { QUOTA_COUNTERS } from './quota-counter-table.ts';
import { bucketRuleOf, consoleRuleOf, type MeterRules, meterRulesOf, RequestMeter } from './request-meter.ts';

/** What accounts have used of their limits: things, mails, and requests, which it counts. */
export const limitsFeature = feature('limits', ({ database, limits }: FeatureContext) => {
  const meter = new RequestMeter(database);
  const meterRules = (principal: Principal, count?: CallCount): MeterRules => {
    if (count === undefined) return meterRulesOf(principal, limits.requests_per_person_per_day);
    return [count === 'console' ? consoleRuleOf(principal, limits) : bucketRuleOf(principal, count, limits)];
  };
  return {
    tables: [ACCOUNT_COUNTS, QUOTA_COUNTERS],
    timers: [{ everyMs: 1000, run: () => meter.flush() }],
    expire: purgeLimits,
    stop: () => meter.flush(),
    provides: { meter, meterRules, limitHits: new LimitHits() },
  };
});
