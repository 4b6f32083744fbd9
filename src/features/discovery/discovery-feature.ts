import { type FeatureContext, feature } from '../../feature.ts';
import { SERVICE_VERSION } from '../../http/openapi.ts';
import type { ListPublicKeys } from '../../kernel/public-keys.ts';
import { discoveryRoutes } from './discovery-routes.ts';

type Needs = FeatureContext & { keyring: { list: ListPublicKeys } };

/** Where other software finds out what this service does and which keys sign for it. */
export const discoveryFeature = feature('discovery', ({ keyring, baseUrl }: Needs) => ({
  endpoints: discoveryRoutes({ listKeys: keyring.list, baseUrl, version: SERVICE_VERSION }),
}));
