import type { Reader, Tx } from '../../../api/transaction.ts';
import { column, columnMap, type RecordOf, type RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';

/** Mail to `postmaster@` and `abuse@` that is not forwarded. It holds a copy of its content. */
const ROLE_MAILS = columnMap({
  id: column.text('id'),
  contentId: column.text('content_id'),
  recipient: column.text('recipient'),
  envelopeFrom: column.text('envelope_from'),
  /** Why it was not forwarded. */
  reason: column.text('reason'),
  sizeBytes: column.integer('size_bytes'),
  keptAt: column.integer('kept_at'),
});
type Row = RowOf<typeof ROLE_MAILS>;
export type RoleMail = RecordOf<typeof ROLE_MAILS>;

const sql = tables<{ role_mails: Row }>();

const insert = sql((q, p: Row) => q.insertInto('role_mails').values(ROLE_MAILS.values(p)));
const all = sql((q, p: { limit: number }) =>
  q.selectFrom('role_mails').select(ROLE_MAILS.names).orderBy('id').limit(p.limit),
);
const byId = sql((q, p: { id: string }) => q.selectFrom('role_mails').select(ROLE_MAILS.names).where('id', '=', p.id));
const remove = sql((q, p: { id: string }) => q.deleteFrom('role_mails').where('id', '=', p.id));
const sums = sql((q, _p: Record<never, never>) =>
  q
    .selectFrom('role_mails')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'),
    ]),
);

export const insertRoleMail = async (tx: Tx, mail: RoleMail): Promise<void> =>
  void (await tx.run(insert, ROLE_MAILS.toRow(mail)));

/** The oldest ones. */
export const listRoleMails = async (reader: Reader, limit: number): Promise<RoleMail[]> =>
  (await reader.all(all, { limit })).map(ROLE_MAILS.fromRow);

export async function findRoleMail(reader: Reader, id: string): Promise<RoleMail | null> {
  const row = await reader.first(byId, { id });
  return row ? ROLE_MAILS.fromRow(row) : null;
}

/** @returns false when there is none */
export const deleteRoleMail = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(remove, { id })) === 1;

export async function sumRoleMails(reader: Reader): Promise<{ count: number; bytes: number }> {
  const row = await reader.first(sums, {});
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
}
