import { type Endpoint, endpoint, reply } from '../api/endpoint.ts';
import { media, named, oneOf, record, timestamp } from '../api/fields.ts';
import { iso } from '../base/clock.ts';
import { Type } from '../base/schema.ts';
import { API_VERSION, RELEASE } from '../base/version.ts';
import type { FeatureContext } from '../feature.ts';
import { apiRoutes } from './pages/api-routes.ts';
import { documentRoutes } from './pages/document-routes.ts';
import type { ServedDocuments } from './served-documents.ts';

const Health = named(
  'Health',
  record({
    status: Type.String(),
    timestamp: timestamp(),
    version: Type.String({ description: 'Version of the API.' }),
    release: Type.String({ description: 'Version of the software.' }),
  }),
);

const Ready = named('Ready', record({ ...Health.properties, disk: oneOf(['ok', 'low']) }));

const health = endpoint({
  method: 'GET',
  path: '/health',
  operation: 'getHealth',
  tag: 'Service',
  summary: 'Check that the process is running',
  description:
    'Always 200 while the process can answer, which it does once every listener is open, SMTP too. Use `GET /ready` for load balancers.',
  auth: 'none',
  effect: 'none',
  replies: { 200: Health },
  errors: [],
  handle: async ({ now }) => reply(200, { status: 'ok', timestamp: iso(now), version: API_VERSION, release: RELEASE }),
});

const readiness = ({ disk: watched }: Pick<FeatureContext, 'disk'>, ready: () => Promise<boolean>) =>
  endpoint({
    method: 'GET',
    path: '/ready',
    operation: 'getReadiness',
    tag: 'Service',
    summary: 'Check that this instance can serve requests',
    description:
      'Use this for load balancers. Returns 503 while the database does not answer or the process is stopping. `disk` is `low` while the disk is almost full: then writes answer 503, and reads and deletes go on.',
    auth: 'none',
    effect: 'none',
    replies: { 200: Ready, 503: Ready },
    errors: [],
    handle: async ({ now }) => {
      const disk = watched.isLow ? ('low' as const) : ('ok' as const);
      const body = { timestamp: iso(now), version: API_VERSION, release: RELEASE, disk };
      return (await ready())
        ? reply(200, { status: 'ready', ...body })
        : reply(503, { status: 'unavailable', ...body });
    },
  });

const figures = ({ metrics }: Pick<FeatureContext, 'metrics'>) =>
  endpoint({
    method: 'GET',
    path: '/metrics',
    operation: 'getMetrics',
    tag: 'Service',
    summary: 'Get metrics in the Prometheus text format',
    description: 'For the operator of this service. Do not expose this path to the internet.',
    auth: 'none',
    effect: 'none',
    compressed: true,
    replies: { 200: media('text/plain; version=0.0.4; charset=utf-8', 'Prometheus text format.') },
    errors: [],
    handle: async () => reply(200, await metrics.text()),
  });

/** @param ready whether the instance can serve: the database answers and it is not stopping */
export const systemRoutes = (
  context: Pick<FeatureContext, 'metrics' | 'disk'>,
  documents: ServedDocuments,
  ready: () => Promise<boolean>,
): Endpoint[] => [
  health,
  readiness(context, ready),
  ...apiRoutes(documents),
  ...documentRoutes(documents),
  figures(context),
];
