import type { Base } from './app-parts.ts';
import { observationRoutes } from './features/observations/observation-routes.ts';
import { telemetryRoutes } from './features/telemetry/telemetry-routes.ts';
import { trustRoutes } from './features/trust/trust-routes.ts';
import type { Endpoint } from './kernel/endpoint.ts';

/** Observations, telemetry and the trust that comes of them. */
export const trustEndpoints = ({ config, database }: Base): Endpoint[] => [
  ...observationRoutes(database),
  ...telemetryRoutes(),
  ...trustRoutes(database, config.trust),
];
