import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { PROGRAMS, type Program } from './finding-table.ts';

type Row = RowOf<typeof PROGRAMS>;

const sql = tables<{ programs: Row }>();

/** How many programs each account has that have not ended. */
export const programSlots = slotCounter('program_counts');

const insertRow = sql((q, p: Row) => q.insertInto('programs').values(PROGRAMS.values(p)));

const byKey = sql((q, p: { hash: string }) =>
  q.selectFrom('programs').select(PROGRAMS.names).where('key_hash', '=', p.hash).where('ended_at', 'is', null),
);

const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('programs')
    .select(PROGRAMS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const endRow = sql((q, p: { id: string; account_id: string; now: number }) =>
  q
    .updateTable('programs')
    .set({ ended_at: p.now })
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .where('ended_at', 'is', null),
);

export const insertProgram = async (tx: Tx, program: Program): Promise<void> =>
  void (await tx.run(insertRow, PROGRAMS.toRow(program)));

/** The program with this key, or null when there is none or it has ended. */
export async function findProgramByKey(reader: Reader, hash: string): Promise<Program | null> {
  const row = await reader.first(byKey, { hash });
  return row ? PROGRAMS.fromRow(row) : null;
}

/** Newest first: programs whose id sorts before `before`. */
export const listPrograms = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<Program[]> => (await reader.all(page, { account_id: accountId, before, limit })).map(PROGRAMS.fromRow);

/** @returns false when the account has no such program, or it has ended */
export const endProgram = async (tx: Tx, accountId: string, id: string, now: number): Promise<boolean> =>
  (await tx.run(endRow, { id, account_id: accountId, now })) === 1;
