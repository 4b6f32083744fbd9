import { type FeatureContext, feature } from '../../feature.ts';
import type { ListPublicKeys } from '../../kernel/public-keys.ts';
import { API_VERSION } from '../../kernel/version.ts';
import { discoveryRoutes } from './discovery-routes.ts';

type Needs = FeatureContext & { keyring: { list: ListPublicKeys } };

/** Where other software finds out what this service does and which keys sign for it. */
export const discoveryFeature = feature('discovery', ({ keyring, baseUrl }: Needs) => ({
  endpoints: discoveryRoutes({ listKeys: keyring.list, baseUrl, version: API_VERSION }),
}));
