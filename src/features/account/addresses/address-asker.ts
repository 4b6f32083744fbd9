import type { AskerOf } from '../../../api/account/asker-fields.ts';
import type { Reader } from '../../../api/transaction.ts';
import { findAccount, findAccounts } from '../accounts/account-lifecycle.ts';
import { addressesOfAccounts, listAddresses } from './address-store.ts';

export const askerOf: AskerOf = async (reader, accountId) => {
  const account = await findAccount(reader, accountId);
  const [first] = await listAddresses(reader, accountId, 1);
  return { account_id: accountId, name: account?.name ?? null, address: first?.address ?? null };
};

/** The same for many accounts, by account. */
export async function askersOf(reader: Reader, accountIds: readonly string[]) {
  const accounts = await findAccounts(reader, accountIds);
  const addresses = await addressesOfAccounts(reader, accountIds);
  return new Map(
    accountIds.map((id) => {
      const [first] = addresses.get(id) ?? [];
      return [id, { account_id: id, name: accounts.get(id)?.name ?? null, address: first?.address ?? null }];
    }),
  );
}
