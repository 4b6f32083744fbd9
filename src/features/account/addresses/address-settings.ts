import type { LockdownHook } from '../../../api/account/lockdown-parts.ts';
import { invalidField } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isMisleadingName } from '../../../mail/address/mail-address.ts';
import { restored, type SettingHistory } from '../../service/settings/setting-history.ts';
import type { AddressRules } from './address.ts';
import { lockAddresses, lockAnyAddress, saveSettings } from './address-store.ts';
import type { Address } from './address-table.ts';

/** What the endpoints of addresses need, beside their rules. Each part takes what it uses of this. */
export interface AddressDeps {
  database: Reader;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  settingHistory: SettingHistory;
}

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
  if (name === null || !isMisleadingName(name)) return name;
  const message = 'A display name has no @, < or > and no invisible characters.';
  throw invalidField('/body/display_name', 'invalid_text', message);
}

/**
 * Changes the settings of an address of the caller.
 * @throws ApiError `invalid_request`, `not_found`, `invalid_address`
 */
export async function changeSettings(
  tx: Tx,
  addresses: AddressRules,
  { enqueueJob, settingHistory }: AddressDeps,
  { principal, text, now }: { principal: Principal; text: string; now: number },
  change: SettingChange,
): Promise<{ before: Address; changed: Address }> {
  const { address } = await addresses.requireOwned(tx, principal, text, 'missing');
  await lockAddresses(tx, [address]);
  const before = await addresses.requireOwned(tx, principal, address, 'missing');
  const { displayName, retentionDays } = change;
  const given = {
    ...(displayName === undefined ? {} : { displayName: nameOf(displayName) }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
  };
  const changed = await storeSettings(tx, enqueueJob, before, given, now);
  await settingHistory.note(tx, principal, { setting: 'address', target: address, before, given }, now);
  return { before, changed };
}

/** Stores new settings of a locked address. Mail is deleted from now on, if its retention changed. */
async function storeSettings(
  tx: Tx,
  enqueueJob: EnqueueJob,
  before: Address,
  given: Partial<Pick<Address, 'displayName' | 'retentionDays'>>,
  now: number,
): Promise<Address> {
  const changed = { ...before, ...given };
  const { address, retentionDays } = changed;
  if (retentionDays !== before.retentionDays) {
    changed.retentionSince = retentionDays === null ? null : now;
    if (retentionDays !== null)
      await enqueueJob(tx, { kind: 'mailbox.retain', payload: { address, since: now }, runAt: now });
  }
  await saveSettings(tx, changed);
  return changed;
}

/** Puts back what a thief changed in the settings of addresses, also of those that were released. */
export const secureAddresses =
  ({ enqueueJob, settingHistory }: AddressDeps): LockdownHook =>
  async (tx, securing) => {
    const { accountId, now } = securing;
    const changes = [];
    for (const former of await settingHistory.takeBack(tx, securing, 'address')) {
      const before = await lockAnyAddress(tx, former.target);
      if (before?.accountId !== accountId) continue;
      await storeSettings(tx, enqueueJob, before, former.fields, now);
      changes.push(...restored('address', { ...before }, former, now));
    }
    return { changes };
  };

/** How long an address keeps mail, if that was set at `since`. Locks the address, in use or released. */
export async function retentionOf(tx: Tx, address: string, since: number) {
  const found = await lockAnyAddress(tx, address);
  if (found === null || found.retentionDays === null || found.retentionSince !== since) return null;
  return { accountId: found.accountId, days: found.retentionDays };
}
