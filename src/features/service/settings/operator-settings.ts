import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { findSettings, forgetSettings, lockSettings, saveSettings } from './operator-settings-store.ts';

/** Whether only a passkey or a recovery code decides for this address. */
export const requiresPasskey = async (reader: Reader, address: string): Promise<boolean> =>
  (await findSettings(reader, address)).requirePasskey;

/**
 * Refuses what a mailed login or a mailed link asks for in the name of an address that requires a passkey. It is read in
 * the transaction of the effect, so that it holds on every instance as soon as it is set.
 * @throws ApiError `passkey_required`
 */
export async function requireBeyondMail(reader: Reader, address: string): Promise<void> {
  if (await requiresPasskey(reader, address)) throw new ApiError('passkey_required');
}

/** Refuses a session that a mailed link opened, where its address requires a passkey. @throws ApiError `passkey_required` */
export async function requireLoginMethod(reader: Reader, { person, method }: Principal): Promise<void> {
  if (person !== null && method === 'link') await requireBeyondMail(reader, person);
}

export { findSettings, forgetSettings, lockSettings, saveSettings };
