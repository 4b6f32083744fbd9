import type { Reader } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { tables } from '../../../../db/statement.ts';
import { QUARANTINED, type Quarantined } from './quarantine-table.ts';

export const insertQuarantined = QUARANTINED.insert();
export const findQuarantined = QUARANTINED.find();
/** Takes a message out of the quarantine. @returns 0 when another call was first */
export const takeOut = QUARANTINED.remove();
/** Newest first. */
export const listQuarantined = QUARANTINED.page(['accountId']);

const sql = tables<{ quarantined_messages: RowOf<typeof QUARANTINED> }>();

const oldest = sql((q, p: { before: string; limit: number }) =>
  q
    .selectFrom('quarantined_messages')
    .select(QUARANTINED.names)
    .where('message_id', '<', p.before)
    .orderBy('message_id')
    .limit(p.limit),
);
/** Oldest first, of every account, with ids smaller than `before`. */
export const oldestQuarantined = async (reader: Reader, before: string, limit: number): Promise<Quarantined[]> =>
  (await reader.all(oldest, { before, limit })).map(QUARANTINED.fromRow);
