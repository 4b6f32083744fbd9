import { type FeatureContext, feature } from '../../feature.ts';
import type { Notices } from '../../kernel/notices.ts';
import { ReservedNames } from '../../kernel/reserved-names.ts';
import { addressRoutes } from './address-routes.ts';
import { AddressRules } from './address-rules.ts';

type Needs = FeatureContext & { notices: Notices };

/** The mail addresses of an account, and the public keys that mail to them is encrypted to. */
export const addressesFeature = feature('addresses', ({ config, database, notices }: Needs) => {
  const addresses = new AddressRules(config.mailDomain, new ReservedNames(config.reservedAddresses), notices);
  return { endpoints: addressRoutes(addresses, database), provides: { addresses } };
});
