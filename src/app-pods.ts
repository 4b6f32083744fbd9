import type { Access, Base } from './app-parts.ts';
import { podRoutes } from './features/pods/pod-routes.ts';
import { createPodRules } from './features/pods/pod-rules.ts';
import type { Endpoint } from './kernel/endpoint.ts';

/** The tenants of a platform. */
export const podEndpoints = ({ config, database }: Base, { keys, credentials }: Access): Endpoint[] =>
  podRoutes({ rules: createPodRules(config.limits, keys, credentials.accountChanged), database });
