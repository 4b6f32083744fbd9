import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { PERSON_REFUSALS } from './confirmation-table.ts';

export const saveRefusal = PERSON_REFUSALS.insertNew();
const findRefusal = PERSON_REFUSALS.find();

const sql = tables<{ person_refusals: RowOf<typeof PERSON_REFUSALS> }>();

const refusalsSince = sql((q, p: { account_id: string; after: number; limit: number }) =>
  q
    .selectFrom('person_refusals')
    .select('refused_at')
    .where('account_id', '=', p.account_id)
    .where('refused_at', '>', p.after)
    .limit(p.limit),
);

export const isRefused = async (reader: Reader, accountId: string, address: string): Promise<boolean> =>
  (await findRefusal(reader, accountId, address)) !== null;

/** Counts the refusals of an account after a time, up to `most`. */
export const countRefusals = async (reader: Reader, accountId: string, after: number, most: number): Promise<number> =>
  (await reader.all(refusalsSince, { account_id: accountId, after, limit: most })).length;
