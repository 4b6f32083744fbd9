import { type FeatureContext, feature } from '../../../feature.ts';
import type { WaysOut } from './telemetry-events.ts';
import { telemetryRoutes } from './telemetry-routes.ts';

type Needs = FeatureContext & { mailPolicy: WaysOut };

/** Reports of agents about their work. */
export const telemetryFeature = feature('telemetry', ({ mailPolicy }: Needs) => ({
  endpoints: telemetryRoutes(mailPolicy),
}));
