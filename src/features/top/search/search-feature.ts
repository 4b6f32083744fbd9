import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import { mayCall } from '../../../http/pipeline/authenticate.ts';
import { AccountSearch } from './account-search.ts';
import { searchRoutes } from './search-routes.ts';

/** One search over everything that has a name. Each table says by what it is found; mail has an index of its words. */
export const searchFeature = feature('search', ({ database, searches }: FeatureContext & Contributions) => {
  const search = new AccountSearch({ database, searches, mayCall });
  return {
    endpoints: searchRoutes(search),
    attach: (_server, _ports, { endpoints }) => search.know(endpoints),
  };
});
