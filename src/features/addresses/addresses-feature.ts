import { type FeatureContext, feature } from '../../feature.ts';
import { withAccountKey } from '../e2e/rotation-rules.ts';
import { addressRoutes } from './address-routes.ts';
import { createAddressRules } from './address-rules.ts';

/** Mail addresses: claimed by an account, and sealed to its key where it has one. */
export const addressesFeature = feature('addresses', ({ config, limits, database }: FeatureContext) => {
  const unsealedAddresses = createAddressRules(limits, config.mailDomain);
  const addresses = withAccountKey(unsealedAddresses);
  return { endpoints: addressRoutes(addresses, database), provides: { addresses, unsealedAddresses } };
});
