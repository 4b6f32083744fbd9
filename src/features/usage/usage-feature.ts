import { type FeatureContext, feature } from '../../feature.ts';
import type { RequestMeter } from '../limits/meter-rules.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';
import type { StorageRules } from '../storage/storage-rules.ts';
import { usageRoutes } from './usage-routes.ts';
import { UsageRules } from './usage-rules.ts';

type Needs = FeatureContext & { meter: RequestMeter; payments: PaymentRules; storage: StorageRules };

/** Shows what an account has used of its limits. */
export const usageFeature = feature('usage', ({ database, limits, meter, payments, storage }: Needs) => {
  const usage = new UsageRules(limits, meter, database, storage);
  return { endpoints: usageRoutes(usage, payments), provides: { usage } };
});
