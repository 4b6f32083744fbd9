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
/** The name of a day has 10 characters, those of shorter windows more. */
const deleteOthers = sql((q, p: { from: string; to: string }) =>
  q
    .deleteFrom('request_meters')
    .where('day', '>=', p.from)
    .where('day', '<', p.to)
    .where((eb) => eb.or([eb(eb.fn('length', ['day']), '>', 10), eb('account_id', 'not like', 'acc_%')])),
);
const since = sql((q, p: { account_id: string; day: string }) =>
  q
    .selectFrom('request_meters')
    .select(['day', 'used'])
    .where('account_id', '=', p.account_id)
    .where('day', '>=', p.day)
    .where((eb) => eb(eb.fn('length', ['day']), '=', 10)),
);

export const readUsed = async (reader: Reader, accountId: string, day: string): Promise<number> =>
  (await reader.first(usedOn, { account_id: accountId, day }))?.used ?? 0;

/** Adds to the count of a window. @returns the sum over all instances */
export const addToMeter = async (tx: Tx, accountId: string, day: string, delta: number): Promise<number> =>
  (await tx.first(addUsed, { account_id: accountId, day, delta }))?.used ?? delta;

/** The counts of an account by day, from a day on. */
export const readDays = (reader: Reader, accountId: string, day: string): Promise<{ day: string; used: number }[]> =>
  reader.all(since, { account_id: accountId, day });

/** Deletes every count before `day`, and between `from` and `to` those that are not of an account's day. */
export async function purgeMeters(tx: Tx, day: string, from: string, to: string): Promise<void> {
  await tx.run(deleteBefore, { day });
  await tx.run(deleteOthers, { from, to });
}
