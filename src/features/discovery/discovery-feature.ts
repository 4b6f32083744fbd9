import { type FeatureContext, feature } from '../../feature.ts';
import { SERVICE_VERSION } from '../../http/openapi.ts';
import type { ListPublicKeys } from '../../kernel/public-keys.ts';
import { discoveryRoutes } from './discovery-routes.ts';

type Needs = FeatureContext & { keyring: { list: ListPublicKeys } };

/** Publishes what this service does and the keys that it signs with. */
export const discoveryFeature = feature('discovery', ({ keyring, baseUrl }: Needs) => ({
  endpoints: discoveryRoutes({ listKeys: keyring.list, baseUrl, version: SERVICE_VERSION }),
}));
