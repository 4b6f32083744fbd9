import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';
import type { SignUpMode } from './invite-table.ts';

const sql = tables<{ sign_up: { id: number; mode: SignUpMode } }>();

const read = sql((q, _p: Record<never, never>) => q.selectFrom('sign_up').select('mode').where('id', '=', 1));
const write = sql((q, p: { mode: SignUpMode }) =>
  q
    .insertInto('sign_up')
    .values({ id: 1, mode: p.mode })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ mode: p.mode })),
);

/** Who may sign up, as the administrator decided while the service ran; null: as `SIGNUP` says. */
export const storedSignUpMode = async (reader: Reader): Promise<SignUpMode | null> =>
  (await reader.first(read, {}))?.mode ?? null;

export const saveSignUpMode = async (tx: Tx, mode: SignUpMode): Promise<void> => void (await tx.run(write, { mode }));
