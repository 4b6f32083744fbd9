import type { AskerOf } from '../../../api/account/asker-fields.ts';
import { findAccount } from '../accounts/account-lifecycle.ts';
import { listAddresses } from './address-store.ts';

export const askerOf: AskerOf = async (reader, accountId) => {
  const account = await findAccount(reader, accountId);
  const [first] = await listAddresses(reader, accountId, 1);
  return { account_id: accountId, name: account?.name ?? null, address: first?.address ?? null };
};
