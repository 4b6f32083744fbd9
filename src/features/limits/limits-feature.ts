import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { CallBucket } from '../../kernel/call-bucket.ts';
import type { Principal } from '../../kernel/principal.ts';
import { LimitHits } from './limit-hit-rules.ts';
import { bucketRuleOf, type MeterRules, meterRulesOf, RequestMeter } from './meter-rules.ts';
import { purgeLimits } from './quota-rules.ts';

/** Counts requests against the quota of each account. */
export const limitsFeature = feature('limits', ({ database, limits }: FeatureContext) => {
  const meter = new RequestMeter(database);
  const meterRules = (principal: Principal, bucket?: CallBucket): MeterRules =>
    bucket === undefined
      ? meterRulesOf(principal, limits.requests_per_person_per_day)
      : [bucketRuleOf(principal, bucket, limits)];
  return {
    erases: [
      rowsOf('request_meters', ['account_id', 'day']),
      rowsOf('quota_counters', ['account_id', 'metric', 'period_start']),
    ],
    timers: [{ everyMs: 1000, run: () => meter.flush() }],
    expire: purgeLimits,
    stop: () => meter.flush(),
    provides: { meter, meterRules, limitHits: new LimitHits() },
  };
});
