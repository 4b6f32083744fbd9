import { type FeatureContext, feature } from '../feature.ts';
import { createAdminSite } from './admin-site.ts';
import { createAssetLookup } from './asset-files.ts';
import { readConsoleTree } from './console-tree.ts';
import { pageRoutes } from './page-routes.ts';

/** The web pages. */
export const dashboardFeature = feature('dashboard', ({ baseUrl }: FeatureContext) => {
  const [tree, assetNamed] = [readConsoleTree(), createAssetLookup()];
  return {
    endpoints: pageRoutes(baseUrl, tree, assetNamed),
    provides: { adminSite: createAdminSite(tree, assetNamed) },
  };
});
