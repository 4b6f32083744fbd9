import { type FeatureContext, feature } from '../../../feature.ts';
import { type UsageDeps, UsageRules } from './usage-report.ts';
import { usageRoutes } from './usage-routes.ts';

type Needs = FeatureContext & UsageDeps;

/** Shows what an account has used of its limits. */
export const usageFeature = feature('usage', (needs: Needs) => {
  const usage = new UsageRules(needs);
  return { endpoints: usageRoutes(usage, needs), provides: { usage } };
});
