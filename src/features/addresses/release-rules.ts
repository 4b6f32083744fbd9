import { DAY_MS } from '../../kernel/period.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { addressSlots, lockAnyAddress, markFreed } from './address-store.ts';

/** How long the mail of a released address stays. */
export const RELEASED_MAIL_MS = 30 * DAY_MS;

/** Whether the mail of an address is due to go: released long enough ago, and not claimed again. Locks the address. */
export async function isEmptyingDue(tx: Tx, address: string, now: number): Promise<boolean> {
  const found = await lockAnyAddress(tx, address);
  if (found === null || found.releasedAt === null || found.freedAt !== null) return false;
  return found.releasedAt + RELEASED_MAIL_MS <= now;
}

/** Frees the slot of an address whose mail is gone. */
export async function freeSlot(tx: Tx, address: string, now: number): Promise<void> {
  const found = await lockAnyAddress(tx, address);
  if (!found) return;
  await markFreed(tx, address, now);
  await addressSlots.giveBack(tx, found.accountId);
}
