import { type FeatureContext, feature } from '../../feature.ts';
import { meterRulesOf, RequestMeter } from './meter-rules.ts';
import { purgeLimits } from './quota-rules.ts';

/** Counts requests against the quota of each account. */
export const limitsFeature = feature('limits', ({ database }: FeatureContext) => {
  const meter = new RequestMeter(database);
  return {
    timers: [{ everyMs: 1000, run: () => meter.flush() }],
    expire: purgeLimits,
    stop: () => meter.flush(),
    provides: { meter, meterRules: meterRulesOf },
  };
});
