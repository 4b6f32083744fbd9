import { type FeatureContext, feature } from '../feature.ts';
import { pageRoutes } from './page-routes.ts';

/** The web pages. */
export const dashboardFeature = feature('dashboard', ({ baseUrl }: FeatureContext) => ({
  endpoints: pageRoutes(baseUrl),
}));
