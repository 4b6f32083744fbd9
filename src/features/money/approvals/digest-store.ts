import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

interface Row {
  email: string;
  /** The id of an approval, or of the review of a held mail. */
  approval_id: string;
}

const sql = tables<{ approval_digests: Row }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('approval_digests')
    .values({ email: p.email, approval_id: p.approval_id })
    .onConflict((conflict) => conflict.doNothing()),
);
const ofEmail = sql((q, p: { email: string; limit: number }) =>
  q
    .selectFrom('approval_digests')
    .select('approval_id')
    .where('email', '=', p.email)
    .orderBy('approval_id')
    .limit(p.limit),
);
const deleteRow = sql((q, p: Row) =>
  q.deleteFrom('approval_digests').where('email', '=', p.email).where('approval_id', '=', p.approval_id),
);

/** More requests than an operator can be asked for while one digest waits would help nobody. */
const DIGEST_MAX = 500;

/** Lists the requests that wait for the next digest of an operator: each kind, oldest first. */
export const listDigest = async (reader: Reader, email: string): Promise<string[]> =>
  (await reader.all(ofEmail, { email, limit: DIGEST_MAX })).map((row) => row.approval_id);

/** Adds a request to the next digest of an operator. @returns whether it is the first, so that the digest is due */
export async function addToDigest(tx: Tx, email: string, id: string): Promise<boolean> {
  const isFirst = (await tx.all(ofEmail, { email, limit: 1 })).length === 0;
  await tx.run(insertRow, { email, approval_id: id });
  return isFirst;
}

export const dropFromDigest = async (tx: Tx, email: string, id: string): Promise<void> =>
  void (await tx.run(deleteRow, { email, approval_id: id }));
