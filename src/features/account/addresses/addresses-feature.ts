import { createHmac } from 'node:crypto';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { ReservedNames } from '../../../mail/address/reserved-names.ts';
import { AddressRules } from './address.ts';
import { addressErasure } from './address-release.ts';
import { addressRoutes } from './address-routes.ts';
import { type AddressDeps, secureAddresses } from './address-settings.ts';
import { ADDRESSES } from './address-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Deletes the mail of an address that was released long ago. */
    'mailbox.empty': { address: string };
    /** Deletes mail that is older than an address keeps it, each day. `since`: when that was set. */
    'mailbox.retain': { address: string; since: number };
  }
}

type Needs = FeatureContext & Pick<AddressDeps, 'settingHistory'> & { notices: Notices };

/** The mail addresses of an account, and the public keys that mail to them is encrypted to. */
export const addressesFeature = feature('addresses', (needs: Needs) => {
  const { config, secrets, events, jobs, notices } = needs;
  const key = deriveServiceKey(secrets.serviceKey, 'address-hash');
  const hash = (address: string): string => createHmac('sha256', key).update(address).digest('hex');
  const addresses = new AddressRules(config.mailDomain, new ReservedNames(config.reservedAddresses), notices, hash);
  const deps: AddressDeps = { ...needs, appendEvent: events.append, enqueueJob: jobs.enqueue };
  return {
    tables: [ADDRESSES],
    erases: [addressErasure(config.mailDomain, hash)],
    endpoints: addressRoutes(addresses, deps),
    secure: secureAddresses(deps),
    provides: { addresses },
  };
});
