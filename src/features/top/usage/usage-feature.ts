import { type FeatureContext, feature } from '../../../feature.ts';
import type { StorageRules } from '../../mail/storage/storage-quota.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import type { PaymentRules } from '../../service/payments/payment.ts';
import { UsageRules } from './usage-report.ts';
import { usageRoutes } from './usage-routes.ts';

type Needs = FeatureContext & { meter: RequestMeter; payments: PaymentRules; storage: StorageRules };

/** Shows what an account has used of its limits. */
export const usageFeature = feature('usage', ({ database, limits, meter, payments, storage }: Needs) => {
  const usage = new UsageRules(limits, meter, database, storage);
  return { endpoints: usageRoutes(usage, payments), provides: { usage } };
});
