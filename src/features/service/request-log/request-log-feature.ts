import { type FeatureContext, feature } from '../../../feature.ts';
import { RequestLog } from './logged-calls.ts';
import { requestLogRoutes } from './request-log-routes.ts';

/** Shows an account its latest requests. */
export const requestsFeature = feature('requests', (_: FeatureContext) => {
  const requestLog = new RequestLog();
  return { endpoints: requestLogRoutes(requestLog), provides: { requestLog } };
});
