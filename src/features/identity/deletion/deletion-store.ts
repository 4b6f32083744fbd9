import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { DELETIONS, type Deletion } from './deletion-table.ts';

type Row = RowOf<typeof DELETIONS>;

const sql = tables<{ account_deletions: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('account_deletions').values(DELETIONS.values(p)));
const byId = sql((q, p: { account_id: string }) =>
  q.selectFrom('account_deletions').select(DELETIONS.names).where('account_id', '=', p.account_id),
);
const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('account_deletions')
    .select(DELETIONS.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);
/** One that has begun is no longer found, so that of a cancellation and the deletion one wins. */
const deleteOpen = sql((q, p: { account_id: string }) =>
  q.deleteFrom('account_deletions').where('account_id', '=', p.account_id).where('closed_at', 'is', null),
);
const close = sql((q, p: { account_id: string; closed_at: number }) =>
  q
    .updateTable('account_deletions')
    .set({ closed_at: p.closed_at })
    .where('account_id', '=', p.account_id)
    .where('closed_at', 'is', null)
    .where('deletes_at', '<=', p.closed_at),
);
const moveAudit = sql((q, p: { account_id: string; audit_seq: number }) =>
  q.updateTable('account_deletions').set({ audit_seq: p.audit_seq }).where('account_id', '=', p.account_id),
);
const deleteRow = sql((q, p: { account_id: string }) =>
  q.deleteFrom('account_deletions').where('account_id', '=', p.account_id),
);

export const insertDeletion = async (tx: Tx, deletion: Deletion): Promise<void> =>
  void (await tx.run(insertRow, DELETIONS.toRow(deletion)));

export async function findDeletion(reader: Reader, accountId: string): Promise<Deletion | null> {
  const row = await reader.first(byId, { account_id: accountId });
  return row ? DELETIONS.fromRow(row) : null;
}

/** Finds the deletions of many accounts, by account. */
export async function findDeletions(reader: Reader, accountIds: readonly string[]): Promise<Map<string, Deletion>> {
  const rows = await reader.all(byIds, { ids: JSON.stringify(accountIds.map((id) => [id])) });
  return new Map(rows.map((row) => [row.account_id, DELETIONS.fromRow(row)]));
}

/** @returns false when there is none that can still be cancelled */
export const dropDeletion = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await tx.run(deleteOpen, { account_id: accountId })) === 1;

/** @returns false when it is not due, was cancelled, or is closed already */
export const closeDeletion = async (tx: Tx, accountId: string, now: number): Promise<boolean> =>
  (await tx.run(close, { account_id: accountId, closed_at: now })) === 1;

export const saveAuditSeq = async (tx: Tx, accountId: string, seq: number): Promise<void> =>
  void (await tx.run(moveAudit, { account_id: accountId, audit_seq: seq }));

export const endDeletion = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(deleteRow, { account_id: accountId }));
