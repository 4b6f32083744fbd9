import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import { exportRoutes } from './export-routes.ts';

type Needs = FeatureContext & Contributions;

/** Hands an account everything that the service holds of it. Every feature says in `exports` what that is. */
export const exportFeature = feature('export', ({ database, limits, exportParts }: Needs) => ({
  endpoints: exportRoutes(database, limits, exportParts),
}));
