import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { PASSKEYS, type Passkey } from './passkey-table.ts';

export const findByCredential = PASSKEYS.find(['credentialId']);
const byAddress = PASSKEYS.list(['address']);
export const deletePasskey = PASSKEYS.remove(['address', 'id']);

const sql = tables<{ passkeys: RowOf<typeof PASSKEYS> }>();

/** A count that is not higher than the last means that there is a copy of the passkey (WebAuthn 6.1.1). */
const setUsed = sql((q, p: { id: string; counter: number; now: number }) =>
  q
    .updateTable('passkeys')
    .set({ counter: p.counter, last_used_at: p.now })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('counter', '<', p.counter), eb('counter', '=', 0)])),
);

/** @returns false when the credential is registered already */
export const insertPasskey = PASSKEYS.insertNew(['credentialId']);

/** Lists the passkeys of a person, newest first. */
export const passkeysOf = async (reader: Reader, address: string): Promise<Passkey[]> =>
  (await byAddress(reader, address)).reverse();

/** Records a login. @returns false when the passkey is gone or its counter did not rise */
export const recordUse = async (tx: Tx, id: string, counter: number, now: number): Promise<boolean> =>
  (await tx.run(setUsed, { id, counter, now })) === 1;
