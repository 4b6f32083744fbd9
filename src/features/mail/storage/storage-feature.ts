import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { StorageRules } from './storage-quota.ts';

/** How many bytes each account stores, and how many of them each sender may fill. */
export const storageFeature = feature('storage', (needs: FeatureContext) => ({
  erases: [rowsOf('account_storage', ['account_id']), rowsOf('storage_shares', ['account_id', 'sender'])],
  provides: { storage: new StorageRules({ ...needs, appendEvent: needs.events.append }) },
}));
