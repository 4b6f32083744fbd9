import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

interface Row {
  /** SHA-256 of the address and the code. */
  hash: string;
  address: string;
}

const sql = tables<{ recovery_codes: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('recovery_codes').values({ hash: p.hash, address: p.address }));
const deleteAll = sql((q, p: { address: string }) => q.deleteFrom('recovery_codes').where('address', '=', p.address));
const take = sql((q, p: { hash: string }) => q.deleteFrom('recovery_codes').where('hash', '=', p.hash));
const byHash = sql((q, p: { hash: string }) =>
  q.selectFrom('recovery_codes').select('hash').where('hash', '=', p.hash),
);
const count = sql((q, p: { address: string }) =>
  q.selectFrom('recovery_codes').select(raw<number>`count(*)`.as('left')).where('address', '=', p.address),
);

/** Replaces the codes of a person. At most ten rows. */
export async function replaceCodes(tx: Tx, address: string, hashes: readonly string[]): Promise<void> {
  await tx.run(deleteAll, { address });
  for (const hash of hashes) await tx.run(insertRow, { hash, address });
}

/** Whether a code still works. */
export const isCode = async (reader: Reader, hash: string): Promise<boolean> =>
  (await reader.first(byHash, { hash })) !== undefined;

/** Uses a code up. @returns false when it is unknown or was used */
export const takeCode = async (tx: Tx, hash: string): Promise<boolean> => (await tx.run(take, { hash })) === 1;

/** How many codes of a person are left, at most ten. */
export const codesLeft = async (reader: Reader, address: string): Promise<number> =>
  Number((await reader.first(count, { address }))?.left ?? 0);
