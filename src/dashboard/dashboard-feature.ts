import { type FeatureContext, feature } from '../feature.ts';
import { atFirstUse } from '../kernel/at-first-use.ts';
import { createAdminSite } from './admin-site.ts';
import { createAssetLookup } from './asset-files.ts';
import { readConsoleTree } from './console-tree.ts';
import { pageRoutes } from './page-routes.ts';

/** Once for all services of a process, of which tests have many. */
const consoleTree = atFirstUse(readConsoleTree);

/** The web pages. */
export const dashboardFeature = feature('dashboard', ({ baseUrl }: FeatureContext) => {
  const [tree, assetNamed] = [consoleTree(), createAssetLookup()];
  return {
    endpoints: pageRoutes(baseUrl, tree, assetNamed),
    provides: { adminSite: createAdminSite(tree, assetNamed) },
  };
});
