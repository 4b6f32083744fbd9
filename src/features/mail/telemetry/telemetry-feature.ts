import type { Gate } from '../../../api/way-out.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { telemetryRoutes } from './telemetry-routes.ts';

type Needs = FeatureContext & { gate: Gate };

/** Reports of agents about their work. */
export const telemetryFeature = feature('telemetry', ({ gate }: Needs) => ({
  endpoints: telemetryRoutes(gate),
}));
