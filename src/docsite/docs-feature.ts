import { type FeatureContext, feature } from '../feature.ts';
import type { Endpoint } from '../kernel/endpoint.ts';
import { docsRoutes } from './docs-routes.ts';
import { DocsSite } from './docs-site.ts';

/** The documentation as web pages. */
export const docsFeature = feature('docs', ({ baseUrl }: FeatureContext) => {
  let endpoints: readonly Endpoint[] = [];
  let site: DocsSite | undefined;
  return {
    pages: docsRoutes({
      baseUrl,
      endpoints: () => endpoints,
      site: () => {
        site ??= new DocsSite(endpoints, baseUrl);
        return site;
      },
    }),
    attach: (_server, _ports, table) => {
      ({ endpoints } = table);
    },
  };
});
