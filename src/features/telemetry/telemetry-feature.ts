import { feature } from '../../feature.ts';
import { telemetryRoutes } from './telemetry-routes.ts';

/** Reports of agents about their work. */
export const telemetryFeature = feature('telemetry', () => ({ endpoints: telemetryRoutes() }));
