import { type FeatureContext, feature } from '../../feature.ts';
import { observationRoutes } from './observation-routes.ts';

/** Observations that agents record, private or shared. */
export const observationsFeature = feature('observations', ({ database }: FeatureContext) => ({
  endpoints: observationRoutes(database),
}));
