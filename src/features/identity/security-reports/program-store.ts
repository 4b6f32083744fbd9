import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { PROGRAMS } from './finding-table.ts';

/** How many programs each account has that have not ended. */
export const programSlots = slotCounter('programs');

export const insertProgram = PROGRAMS.insert();
/** The program with this key, or null when there is none or it has ended. */
export const findProgramByKey = PROGRAMS.find(['keyHash'], { endedAt: null });
export const listPrograms = PROGRAMS.page(['accountId']);

const sql = tables<{ programs: RowOf<typeof PROGRAMS> }>();

const endRow = sql((q, p: { id: string; account_id: string; now: number }) =>
  q
    .updateTable('programs')
    .set({ ended_at: p.now })
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .where('ended_at', 'is', null),
);

/** @returns false when the account has no such program, or it has ended */
export const endProgram = async (tx: Tx, accountId: string, id: string, now: number): Promise<boolean> =>
  (await tx.run(endRow, { id, account_id: accountId, now })) === 1;
