import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { RECOVERY_CODES } from './passkey-table.ts';

const insertCode = RECOVERY_CODES.insert();
const findCode = RECOVERY_CODES.find();
const removeCode = RECOVERY_CODES.remove();
const removeAll = RECOVERY_CODES.remove(['address']);

const sql = tables<{ recovery_codes: RowOf<typeof RECOVERY_CODES> }>();
const count = sql((q, p: { address: string }) =>
  q.selectFrom('recovery_codes').select(raw<number>`count(*)`.as('left')).where('address', '=', p.address),
);

/** Replaces the codes of a person. At most ten rows. */
export async function replaceCodes(tx: Tx, address: string, hashes: readonly string[]): Promise<void> {
  await removeAll(tx, address);
  for (const hash of hashes) await insertCode(tx, { hash, address });
}

/** Whether a code still works. */
export const isCode = async (reader: Reader, hash: string): Promise<boolean> => (await findCode(reader, hash)) !== null;

/** Uses a code up. @returns false when it is unknown or was used */
export const takeCode = async (tx: Tx, hash: string): Promise<boolean> => (await removeCode(tx, hash)) === 1;

/** How many codes of a person are left, at most ten. */
export const codesLeft = async (reader: Reader, address: string): Promise<number> =>
  Number((await reader.first(count, { address }))?.left ?? 0);
