import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { DELETIONS, type Deletion } from './deletion-table.ts';

export const insertDeletion = DELETIONS.insert();
export const findDeletion = DELETIONS.find();
export const saveAuditSeq = DELETIONS.patch(['auditSeq']);
/**
 * One that has begun is no longer found, so that of a cancellation and the deletion one wins.
 * @returns 0 when there is none that can still be cancelled
 */
export const dropDeletion = DELETIONS.remove(['accountId'], { closedAt: null });
export const endDeletion = DELETIONS.remove();

const sql = tables<{ account_deletions: RowOf<typeof DELETIONS> }>();

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('account_deletions')
    .select(DELETIONS.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);
const close = sql((q, p: { account_id: string; closed_at: number }) =>
  q
    .updateTable('account_deletions')
    .set({ closed_at: p.closed_at })
    .where('account_id', '=', p.account_id)
    .where('closed_at', 'is', null)
    .where('deletes_at', '<=', p.closed_at),
);

/** Finds the deletions of many accounts, by account. */
export async function findDeletions(reader: Reader, accountIds: readonly string[]): Promise<Map<string, Deletion>> {
  const rows = await reader.all(byIds, { ids: jsonTexts(accountIds) });
  return new Map(rows.map((row) => [row.account_id, DELETIONS.fromRow(row)]));
}

/** @returns false when it is not due, was cancelled, or is closed already */
export const closeDeletion = async (tx: Tx, accountId: string, now: number): Promise<boolean> =>
  (await tx.run(close, { account_id: accountId, closed_at: now })) === 1;
