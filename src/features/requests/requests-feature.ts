import { type FeatureContext, feature } from '../../feature.ts';
import { requestLogRoutes } from './request-log-routes.ts';
import { RequestLog } from './request-log-rules.ts';

/** Shows an account its latest requests. */
export const requestsFeature = feature('requests', (_: FeatureContext) => {
  const requestLog = new RequestLog();
  return { endpoints: requestLogRoutes(requestLog), provides: { requestLog } };
});
