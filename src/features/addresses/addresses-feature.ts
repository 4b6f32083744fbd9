import { type FeatureContext, feature } from '../../feature.ts';
import { ReservedNames } from '../../kernel/reserved-names.ts';
import { addressRoutes } from './address-routes.ts';
import { AddressRules } from './address-rules.ts';

/** The mail addresses of an account, and the public keys that mail to them is encrypted to. */
export const addressesFeature = feature('addresses', ({ config, database }: FeatureContext) => {
  const addresses = new AddressRules(config.mailDomain, new ReservedNames(config.reservedAddresses));
  return { endpoints: addressRoutes(addresses, database), provides: { addresses } };
});
