import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Program } from './finding-data.ts';

interface Row {
  id: string;
  account_id: string;
  name: string;
  audience: string;
  key_hash: string;
  key_prefix: string;
  created_at: number;
  ended_at: number | null;
}

const sql = tables<{ programs: Row; program_counts: { account_id: string; used: number } }>();

const insertRow = sql((q, p: Omit<Row, 'ended_at'>) =>
  q.insertInto('programs').values({
    id: p.id,
    account_id: p.account_id,
    name: p.name,
    audience: p.audience,
    key_hash: p.key_hash,
    key_prefix: p.key_prefix,
    created_at: p.created_at,
    ended_at: null,
  }),
);

const byKey = sql((q, p: { hash: string }) =>
  q.selectFrom('programs').selectAll().where('key_hash', '=', p.hash).where('ended_at', 'is', null),
);

const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('programs')
    .selectAll()
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

/** Checked and counted in one statement: no number of parallel calls gets past the limit. */
const takeSlot = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('program_counts')
    .values({ account_id: p.account_id, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ used: eb('program_counts.used', '+', 1) }))
        .where('program_counts.used', '<', p.limit),
    ),
);
const giveSlotBack = sql((q, p: { account_id: string }) =>
  q
    .updateTable('program_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id),
);

const toProgram = (row: Row): Program => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  audience: row.audience,
  keyPrefix: row.key_prefix,
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

/** @returns false when the account has `limit` programs already */
export async function insertProgram(tx: Tx, program: Program, keyHash: string, limit: number): Promise<boolean> {
  const { id, accountId, name, audience, keyPrefix, createdAt } = program;
  if ((await tx.run(takeSlot, { account_id: accountId, limit })) === 0) return false;
  const row = { id, account_id: accountId, name, audience, key_hash: keyHash, key_prefix: keyPrefix };
  await tx.run(insertRow, { ...row, created_at: createdAt });
  return true;
}

/** The program of a key that still holds. */
export async function findProgramByKey(reader: Reader, hash: string): Promise<Program | null> {
  const row = await reader.first(byKey, { hash });
  return row ? toProgram(row) : null;
}

/** Newest first, those before the given one. */
export const listPrograms = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<Program[]> => (await reader.all(page, { account_id: accountId, before, limit })).map(toProgram);

/** @returns false when the account has no such program, or it has ended */
export async function endProgram(tx: Tx, accountId: string, id: string, now: number): Promise<boolean> {
  if ((await tx.run(endRow, { id, account_id: accountId, now })) === 0) return false;
  await tx.run(giveSlotBack, { account_id: accountId });
  return true;
}
