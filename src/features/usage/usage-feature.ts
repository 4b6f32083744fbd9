import { type FeatureContext, feature } from '../../feature.ts';
import type { RequestMeter } from '../limits/meter-rules.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';
import { usageRoutes } from './usage-routes.ts';
import { UsageRules } from './usage-rules.ts';

type Needs = FeatureContext & { meter: RequestMeter; payments: PaymentRules };

/** Shows what an account has used of its limits. */
export const usageFeature = feature('usage', ({ database, limits, meter, payments }: Needs) => {
  const usage = new UsageRules(limits, meter, database);
  return { endpoints: usageRoutes(usage, payments), provides: { usage } };
});
