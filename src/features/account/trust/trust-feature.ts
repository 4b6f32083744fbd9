import { type FeatureContext, feature } from '../../../feature.ts';
import { trustRoutes } from './trust-routes.ts';

/** Trust scores. */
export const trustFeature = feature('trust', ({ database, config }: FeatureContext) => ({
  endpoints: trustRoutes(database, config.trust),
}));
