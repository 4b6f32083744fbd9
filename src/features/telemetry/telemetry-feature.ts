import { feature } from '../../feature.ts';
import { telemetryRoutes } from './telemetry-routes.ts';

/** What agents report about their own work. */
export const telemetryFeature = feature('telemetry', () => ({ endpoints: telemetryRoutes() }));
