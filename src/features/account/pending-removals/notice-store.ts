import type { Notice, NoticeTarget } from '../../../api/account/removal-notices.ts';
import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { isAfterPlace } from '../../../db/waiting-rows.ts';
import { NOTICE_UNDOS, NOTICES } from './notice-table.ts';

export const findNotice = NOTICES.find();
/** Lists the notices of an account, oldest first. */
export const noticesOf = NOTICES.list(['accountId']);
/** @returns 0 when it has ended already: of several parallel endings one gets it */
export const deleteNotice = NOTICES.remove();
const findOfTarget = NOTICES.find(['accountId', 'what', 'target']);
const removeUndos = NOTICE_UNDOS.remove(['accountId', 'what', 'target']);

type Row = RowOf<typeof NOTICES>;
type Target = Pick<Row, 'account_id' | 'what' | 'target'>;

const sql = tables<{ notices: Row; notice_undos: RowOf<typeof NOTICE_UNDOS> }>();

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

const waiting = sql((q, p: WaitingParams, engine) =>
  q
    .selectFrom('notices')
    .select(NOTICES.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where((eb) => isAfterPlace(eb.ref('asked_at'), eb.ref('id'), p))
    .orderBy('asked_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Lists the notices of these accounts, oldest first. */
export const waitingNotices = async (reader: Reader, params: WaitingParams): Promise<Notice[]> =>
  (await reader.all(waiting, params)).map(NOTICES.fromRow);

const targetOf = ({ accountId, what, target }: NoticeTarget): Target => ({
  account_id: accountId,
  what,
  target,
});

/** @returns false when this removal is already announced */
export const insertNotice = NOTICES.insertNew();

export const noticeOf = (reader: Reader, { accountId, what, target }: NoticeTarget): Promise<Notice | null> =>
  findOfTarget(reader, accountId, what, target);

export const addUndo = async (tx: Tx, notice: Notice, undoneBy: string): Promise<void> =>
  void (await tx.run(countUndo, { ...targetOf(notice), undone_by: undoneBy }));

/** The most times that one factor undid the removal of a target. */
export const mostUndos = async (reader: Reader, notice: NoticeTarget): Promise<number> =>
  (await reader.first(undosOf, targetOf(notice)))?.most ?? 0;

export const deleteUndos = (tx: Tx, { accountId, what, target }: NoticeTarget): Promise<number> =>
  removeUndos(tx, accountId, what, target);
