import type { Reader, Tx } from '../../../api/transaction.ts';
import { column } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

const DIGESTS = table(
  'approval_digests',
  {
    email: column.text('email'),
    /** The id of an approval, or of the review of a held mail. */
    approvalId: column.text('approval_id'),
  },
  { key: ['email', 'approvalId'], account: [], erase: { keep: 'the next digest drops what is no longer open' } },
);

const insertRequest = DIGESTS.insertNew();
const requestsOf = DIGESTS.after(['email']);
export const dropFromDigest = DIGESTS.remove();

const listSome = async (reader: Reader, email: string, limit: number): Promise<string[]> =>
  (await requestsOf(reader, { email }, { approvalId: '' }, limit)).map(({ approvalId }) => approvalId);

/** More requests than an operator can be asked for while one digest waits would help nobody. */
const DIGEST_MAX = 500;

/** Lists the requests that wait for the next digest of an operator: each kind, oldest first. */
export const listDigest = (reader: Reader, email: string): Promise<string[]> => listSome(reader, email, DIGEST_MAX);

/** Adds a request to the next digest of an operator. @returns whether it is the first, so that the digest is due */
export async function addToDigest(tx: Tx, email: string, id: string): Promise<boolean> {
  const isFirst = (await listSome(tx, email, 1)).length === 0;
  await insertRequest(tx, { email, approvalId: id });
  return isFirst;
}
