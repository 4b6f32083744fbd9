import type { Erasure } from '../../../api/account/erasure.ts';
import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { someRowsOf } from '../../../db/account-rows.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import { keepHash } from './address-hash-store.ts';
import { addressSlots, deleteAddress, lockAnyAddress, markFreed } from './address-store.ts';

/** How long the mail of a released address stays. */
export const RELEASED_MAIL_MS = 30 * DAY_MS;

/**
 * The account of an address whose mail is to go, and when: it was released, and not claimed again. Null for another. Locks
 * the address.
 */
export async function accountToEmpty(tx: Tx, address: string): Promise<{ accountId: string; dueAt: number } | null> {
  const found = await lockAnyAddress(tx, address);
  if (found === null || found.releasedAt === null || found.freedAt !== null) return null;
  return { accountId: found.accountId, dueAt: found.releasedAt + RELEASED_MAIL_MS };
}

/** Frees the slot of an address whose mail is gone. */
export async function freeSlot(tx: Tx, address: string, now: number): Promise<void> {
  const found = await lockAnyAddress(tx, address);
  if (!found) return;
  await markFreed(tx, address, now);
  await addressSlots.giveBack(tx, found.accountId);
}

const someAddresses = someRowsOf('addresses', ['address', 'created_at']);

/** Deletes the addresses of an account that is deleted, and keeps their hashes. */
export const addressErasure = (mailDomain: string, hash: (address: string) => string): Erasure => ({
  tables: ['addresses'],
  run: async (tx, accountId, limit) => {
    const rows = (await someAddresses(tx, accountId, limit)) as { address: string; created_at: number }[];
    for (const { address, created_at: keptAt } of rows) {
      await deleteAddress(tx, address);
      // Who verifies a domain decides about its addresses.
      if (domainOf(address) === mailDomain) await keepHash(tx, { hash: hash(address), keptAt });
    }
    return rows.length;
  },
});
