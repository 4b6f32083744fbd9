import { type FeatureContext, feature } from '../../feature.ts';
import type { Principal } from '../../kernel/principal.ts';
import { createRequestMeter, meterRulesOf } from './meter-rules.ts';
import { purgeLimits } from './quota-rules.ts';

/** Counts requests against the quota of each account. */
export const limitsFeature = feature('limits', ({ database, limits }: FeatureContext) => {
  const meter = createRequestMeter(database);
  return {
    timers: [{ everyMs: 1000, run: meter.flush }],
    expire: purgeLimits,
    stop: meter.flush,
    provides: { meter, meterRules: (principal: Principal) => meterRulesOf(principal, limits) },
  };
});
