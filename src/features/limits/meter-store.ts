import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

const sql = tables<{ request_meters: { account_id: string; day: string; used: number } }>();

const usedOn = sql((q, p: { account_id: string; day: string }) =>
  q.selectFrom('request_meters').select('used').where('account_id', '=', p.account_id).where('day', '=', p.day),
);

const addUsed = sql((q, p: { account_id: string; day: string; delta: number }) =>
  q
    .insertInto('request_meters')
    .values({ account_id: p.account_id, day: p.day, used: p.delta })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet((eb) => ({ used: eb('request_meters.used', '+', eb.ref('excluded.used')) })),
    )
    .returning('used'),
);

const deleteBefore = sql((q, p: { day: string }) => q.deleteFrom('request_meters').where('day', '<', p.day));

export const readUsed = async (reader: Reader, accountId: string, day: string): Promise<number> =>
  (await reader.first(usedOn, { account_id: accountId, day }))?.used ?? 0;

/** Adds to the count of a window. @returns the sum over all instances */
export const addToMeter = async (tx: Tx, accountId: string, day: string, delta: number): Promise<number> =>
  (await tx.first(addUsed, { account_id: accountId, day, delta }))?.used ?? delta;

export const purgeMeters = (tx: Tx, day: string): Promise<number> => tx.run(deleteBefore, { day });
