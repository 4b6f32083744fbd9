import { createHmac } from 'node:crypto';
import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Notices } from '../../kernel/notices.ts';
import { ReservedNames } from '../../kernel/reserved-names.ts';
import { deriveServiceKey } from '../../kernel/sealing.ts';
import type { SettingHistory } from '../settings/setting-history-rules.ts';
import { ADDRESSES } from './address-data.ts';
import { addressRoutes } from './address-routes.ts';
import { AddressRules } from './address-rules.ts';
import { secureAddresses } from './address-setting-rules.ts';
import { addressErasure } from './release-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Deletes the mail of an address that was released long ago. */
    'mailbox.empty': { address: string };
    /** Deletes mail that is older than an address keeps it, each day. `since`: when that was set. */
    'mailbox.retain': { address: string; since: number };
  }
}

type Needs = FeatureContext & { notices: Notices; settingHistory: SettingHistory };

/** The mail addresses of an account, and the public keys that mail to them is encrypted to. */
export const addressesFeature = feature('addresses', (needs: Needs) => {
  const { config, database, secrets, events, jobs, notices, settingHistory: history } = needs;
  const key = deriveServiceKey(secrets.serviceKey, 'address-hash');
  const hash = (address: string): string => createHmac('sha256', key).update(address).digest('hex');
  const addresses = new AddressRules(config.mailDomain, new ReservedNames(config.reservedAddresses), notices, hash);
  return {
    exports: [exportOf({ table: 'addresses', columns: ADDRESSES, key: ['address'] })],
    erases: [addressErasure(config.mailDomain, hash), rowsOf('address_counts', ['account_id'])],
    endpoints: addressRoutes(addresses, database, { append: events.append, enqueue: jobs.enqueue, history }),
    secure: secureAddresses({ enqueueJob: jobs.enqueue, history }),
    provides: { addresses },
  };
});
