import type { Reader, Tx } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { tables } from '../../../../db/statement.ts';
import { QUARANTINED, type Quarantined } from './quarantine-table.ts';

type Row = RowOf<typeof QUARANTINED>;

const sql = tables<{ quarantined_messages: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('quarantined_messages').values(QUARANTINED.values(p)));
const byId = sql((q, p: { message_id: string }) =>
  q.selectFrom('quarantined_messages').select(QUARANTINED.names).where('message_id', '=', p.message_id),
);
const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('quarantined_messages')
    .select(QUARANTINED.names)
    .where('account_id', '=', p.account_id)
    .where('message_id', '<', p.before)
    .orderBy('message_id', 'desc')
    .limit(p.limit),
);
const oldest = sql((q, p: { before: string; limit: number }) =>
  q
    .selectFrom('quarantined_messages')
    .select(QUARANTINED.names)
    .where('message_id', '<', p.before)
    .orderBy('message_id')
    .limit(p.limit),
);
const deleteRow = sql((q, p: { message_id: string }) =>
  q.deleteFrom('quarantined_messages').where('message_id', '=', p.message_id),
);

export const insertQuarantined = async (tx: Tx, message: Quarantined): Promise<void> =>
  void (await tx.run(insertRow, QUARANTINED.toRow(message)));

export async function findQuarantined(reader: Reader, messageId: string): Promise<Quarantined | null> {
  const row = await reader.first(byId, { message_id: messageId });
  return row ? QUARANTINED.fromRow(row) : null;
}

/** Newest first, with ids smaller than `before`. */
export const listQuarantined = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<Quarantined[]> =>
  (await reader.all(page, { account_id: accountId, before, limit })).map(QUARANTINED.fromRow);

/** Oldest first, of every account, with ids smaller than `before`. */
export const oldestQuarantined = async (reader: Reader, before: string, limit: number): Promise<Quarantined[]> =>
  (await reader.all(oldest, { before, limit })).map(QUARANTINED.fromRow);

/** Takes a message out of the quarantine. @returns false when another call was first */
export const takeOut = async (tx: Tx, messageId: string): Promise<boolean> =>
  (await tx.run(deleteRow, { message_id: messageId })) === 1;
