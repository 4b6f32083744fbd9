import type { Endpoint } from '../../api/endpoint.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import { docsRoutes } from './docs-routes.ts';
import type { DocsSite } from './docs-site.ts';

/** The documentation as web pages. */
export const docsFeature = feature('docs', ({ baseUrl }: FeatureContext) => {
  let endpoints: readonly Endpoint[] = [];
  const open = async (): Promise<DocsSite> => {
    const { DocsSite: Site } = await import('./docs-site.ts');
    return new Site(endpoints, baseUrl);
  };
  let site: Promise<DocsSite> | undefined;
  return {
    pages: docsRoutes({
      baseUrl,
      endpoints: () => endpoints,
      site: () => {
        site ??= open();
        return site;
      },
    }),
    attach: (_server, _ports, table) => {
      ({ endpoints } = table);
    },
  };
});
