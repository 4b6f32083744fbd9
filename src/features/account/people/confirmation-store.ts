import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { PERSON_REFUSALS } from './confirmation-table.ts';

const findRefusal = PERSON_REFUSALS.find();

const sql = tables<{ person_refusals: RowOf<typeof PERSON_REFUSALS> }>();

const insertRefusal = sql((q, p: RowOf<typeof PERSON_REFUSALS>) =>
  q
    .insertInto('person_refusals')
    .values(PERSON_REFUSALS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);
const refusalsSince = sql((q, p: { account_id: string; after: number; limit: number }) =>
  q
    .selectFrom('person_refusals')
    .select('refused_at')
    .where('account_id', '=', p.account_id)
    .where('refused_at', '>', p.after)
    .limit(p.limit),
);

export const saveRefusal = async (tx: Tx, accountId: string, address: string, refusedAt: number): Promise<void> =>
  void (await tx.run(insertRefusal, { account_id: accountId, address, refused_at: refusedAt }));

export const isRefused = async (reader: Reader, accountId: string, address: string): Promise<boolean> =>
  (await findRefusal(reader, accountId, address)) !== null;

/** Counts the refusals of an account after a time, up to `most`. */
export const countRefusals = async (reader: Reader, accountId: string, after: number, most: number): Promise<number> =>
  (await reader.all(refusalsSince, { account_id: accountId, after, limit: most })).length;
