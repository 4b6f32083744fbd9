import { type FeatureContext, feature } from '../../feature.ts';
import { createAdminSite } from './admin-site.ts';
import { createAssetLookup } from './asset-files.ts';
import type { ConsoleTree } from './console-tree.ts';
import { pageRoutes } from './page-routes.ts';

type Needs = FeatureContext & { consoleTree(): ConsoleTree };

/** The web pages. */
export const dashboardFeature = feature('dashboard', ({ baseUrl, consoleTree }: Needs) => {
  const assetNamed = createAssetLookup();
  return {
    endpoints: pageRoutes(baseUrl, consoleTree, assetNamed),
    provides: { adminSite: createAdminSite(consoleTree, assetNamed) },
  };
});
