import { invalidField } from '../../kernel/errors.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { Address } from './address-data.ts';
import type { AddressRules } from './address-rules.ts';
import { lockAddresses, lockAnyAddress, saveSettings } from './address-store.ts';

/**
 * Characters that would let a name pass for another address or show something else than it holds: `@`, angle brackets,
 * and invisible ones.
 */
const MISLEADING = /[@<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What a request sets. Absent fields stay. */
export interface SettingChange {
  /** The name in the From header. Null: none. */
  displayName?: string | null | undefined;
  /** After how many days mail is deleted. Null: never. */
  retentionDays?: number | null | undefined;
}

/** @throws ApiError `invalid_request` */
function nameOf(text: string | null): string | null {
  const name = text?.trim() || null;
  if (name === null || !MISLEADING.test(name)) return name;
  const message = 'A display name has no @, < or > and no invisible characters.';
  throw invalidField('/body/display_name', 'invalid_text', message);
}

/**
 * Changes the settings of an address of the caller.
 * @throws ApiError `invalid_request`, `address_forbidden`, `not_found`, `invalid_address`
 */
export async function changeSettings(
  tx: Tx,
  { addresses, enqueueJob }: { addresses: AddressRules; enqueueJob: EnqueueJob },
  { principal, text, now }: { principal: Principal; text: string; now: number },
  change: SettingChange,
): Promise<Address> {
  const { address } = await addresses.requireOwned(tx, principal, text);
  await lockAddresses(tx, [address]);
  const before = await addresses.requireOwned(tx, principal, address);
  const changed = { ...before };
  if (change.displayName !== undefined) changed.displayName = nameOf(change.displayName);
  if (change.retentionDays !== undefined && change.retentionDays !== before.retentionDays) {
    changed.retentionDays = change.retentionDays;
    changed.retentionSince = change.retentionDays === null ? null : now;
    if (changed.retentionSince !== null)
      await enqueueJob(tx, { kind: 'mailbox.retain', payload: { address, since: now }, runAt: now });
  }
  await saveSettings(tx, changed);
  return changed;
}

/** How long an address keeps mail, if that was set at `since`. Locks the address, in use or released. */
export async function retentionOf(tx: Tx, address: string, since: number) {
  const found = await lockAnyAddress(tx, address);
  if (found === null || found.retentionDays === null || found.retentionSince !== since) return null;
  return { accountId: found.accountId, days: found.retentionDays };
}
