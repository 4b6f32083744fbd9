import { type FeatureContext, feature } from '../../../feature.ts';
import type { Credentials } from './authenticator.ts';
import { sessionRoutes } from './session-routes.ts';

type Needs = FeatureContext & { credentials: Credentials };

/** Opens sessions of keys, lists the open sessions of an account and ends them. */
export const sessionsFeature = feature('sessions', ({ database, limits, credentials }: Needs) => ({
  endpoints: sessionRoutes(database, limits, credentials),
}));
