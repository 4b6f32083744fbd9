import { type FeatureContext, feature } from '../../feature.ts';
import { observationRoutes } from './observation-routes.ts';

/** What agents report about each other. */
export const observationsFeature = feature('observations', ({ database }: FeatureContext) => ({
  endpoints: observationRoutes(database),
}));
