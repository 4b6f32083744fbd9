import type { Notice, NoticeTarget } from '../../../api/account/removal-notices.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { type NOTICE_UNDOS, NOTICES } from './notice-table.ts';

type Row = RowOf<typeof NOTICES>;
type UndoRow = RowOf<typeof NOTICE_UNDOS>;
type Target = Pick<Row, 'account_id' | 'what' | 'target'>;

const sql = tables<{ notices: Row; notice_undos: UndoRow }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('notices')
    .values(NOTICES.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);
const byId = sql((q, p: { id: string }) => q.selectFrom('notices').select(NOTICES.names).where('id', '=', p.id));
const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('notices').select(NOTICES.names).where('account_id', '=', p.account_id).orderBy('id'),
);
const byTarget = sql((q, p: Target) =>
  q
    .selectFrom('notices')
    .select(NOTICES.names)
    .where('account_id', '=', p.account_id)
    .where('what', '=', p.what)
    .where('target', '=', p.target),
);
const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('notices').where('id', '=', p.id));

const countUndo = sql((q, p: Target & { undone_by: string }) =>
  q
    .insertInto('notice_undos')
    .values({ account_id: p.account_id, what: p.what, target: p.target, undone_by: p.undone_by, undone: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'what', 'target', 'undone_by'])
        .doUpdateSet((eb) => ({ undone: eb('notice_undos.undone', '+', 1) })),
    ),
);
const undosOf = sql((q, p: Target) =>
  q
    .selectFrom('notice_undos')
    .select((eb) => eb.fn.max('undone').as('most'))
    .where('account_id', '=', p.account_id)
    .where('what', '=', p.what)
    .where('target', '=', p.target),
);
const forgetUndos = sql((q, p: Target) =>
  q
    .deleteFrom('notice_undos')
    .where('account_id', '=', p.account_id)
    .where('what', '=', p.what)
    .where('target', '=', p.target),
);

const targetOf = ({ accountId, what, target }: NoticeTarget): Target => ({
  ...{ account_id: accountId, what, target },
});

/** @returns false when this removal is already announced */
export const insertNotice = async (tx: Tx, notice: Notice): Promise<boolean> =>
  (await tx.run(insertRow, NOTICES.toRow(notice))) === 1;

export async function findNotice(reader: Reader, id: string): Promise<Notice | null> {
  const row = await reader.first(byId, { id });
  return row ? NOTICES.fromRow(row) : null;
}

/** Lists the notices of an account, oldest first. */
export const noticesOf = async (reader: Reader, accountId: string): Promise<Notice[]> =>
  (await reader.all(byAccount, { account_id: accountId })).map(NOTICES.fromRow);

export async function noticeOf(reader: Reader, target: NoticeTarget): Promise<Notice | null> {
  const row = await reader.first(byTarget, targetOf(target));
  return row ? NOTICES.fromRow(row) : null;
}

/** @returns false when it has ended already: of several parallel endings one gets it */
export const deleteNotice = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(deleteRow, { id })) === 1;

export const addUndo = async (tx: Tx, notice: Notice, undoneBy: string): Promise<void> =>
  void (await tx.run(countUndo, { ...targetOf(notice), undone_by: undoneBy }));

/** The most times that one factor undid the removal of a target. */
export const mostUndos = async (reader: Reader, notice: NoticeTarget): Promise<number> =>
  (await reader.first(undosOf, targetOf(notice)))?.most ?? 0;

export const deleteUndos = async (tx: Tx, notice: NoticeTarget): Promise<void> =>
  void (await tx.run(forgetUndos, targetOf(notice)));
