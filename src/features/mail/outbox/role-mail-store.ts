import type { Reader } from '../../../api/transaction.ts';
import { column, type RecordOf, type RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { table } from '../../../db/table.ts';

/** Mail to `postmaster@` and `abuse@` that is not forwarded. It holds a copy of its content. */
const ROLE_MAILS = table(
  'role_mails',
  {
    id: column.text('id'),
    contentId: column.text('content_id'),
    recipient: column.text('recipient'),
    envelopeFrom: column.text('envelope_from'),
    /** Why it was not forwarded. */
    reason: column.text('reason'),
    sizeBytes: column.integer('size_bytes'),
    keptAt: column.integer('kept_at'),
  },
  { key: ['id'], account: [], erase: { keep: 'belongs to no account' } },
);
export type RoleMail = RecordOf<typeof ROLE_MAILS>;

/** Keeps a mail whose content is stored, and counts as a copy of it. */
export const keepRoleMail = ROLE_MAILS.insert();
export const findRoleMail = ROLE_MAILS.find();
/** Oldest first. */
export const listRoleMails = ROLE_MAILS.after([]);
/** @returns 0 when there is none */
export const deleteRoleMail = ROLE_MAILS.remove();

const sql = tables<{ role_mails: RowOf<typeof ROLE_MAILS> }>();

const sums = sql((q, _p: Record<never, never>) =>
  q
    .selectFrom('role_mails')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('size_bytes'), eb.lit(0)).as('bytes'),
    ]),
);

export async function sumRoleMails(reader: Reader): Promise<{ count: number; bytes: number }> {
  const row = await reader.first(sums, {});
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
}
