import type { Endpoint } from '../kernel/endpoint.ts';

/** The web pages. */
export const pageRoutes = (): Endpoint[] => [];
