import type { Reader, Tx } from '../../../api/transaction.ts';
import { isAmong, jsonRows } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';

const sql = tables<{ request_meters: { account_id: string; day: string; used: number } }>();

const usedOn = sql((q, p: { account_id: string; day: string }) =>
  q.selectFrom('request_meters').select('used').where('account_id', '=', p.account_id).where('day', '=', p.day),
);

const COLUMNS = { account_id: 'text', day: 'text', used: 'integer' } as const;
const NAMES = ['account_id', 'day', 'used'] as const;

/** Without `where true`, SQLite reads ON CONFLICT as the ON of a join. */
const addUsed = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('request_meters')
    .columns(NAMES)
    .expression((eb) =>
      eb
        .selectFrom(jsonRows(engine, p.rows, COLUMNS).as('given'))
        .select(NAMES)
        .where(eb.lit(true)),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet((eb) => ({ used: eb('request_meters.used', '+', eb.ref('excluded.used')) })),
    )
    .returning(NAMES),
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

const lastOf = sql((q, p: { ids: string; day: string }, engine) =>
  q
    .selectFrom('request_meters')
    .select((eb) => ['account_id', eb.fn.max('day').as('day')])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('day', '>=', p.day)
    .where((eb) => eb(eb.fn('length', ['day']), '=', 10))
    .groupBy('account_id'),
);

export const readUsed = async (reader: Reader, accountId: string, day: string): Promise<number> =>
  (await reader.first(usedOn, { account_id: accountId, day }))?.used ?? 0;

export interface MeterCount {
  countId: string;
  window: string;
  used: number;
}

/**
 * Adds to the counts of windows, each named once. Give them in one order on every instance, so that two do not wait for
 * each other. @returns the sums over all instances
 */
export async function addToMeters(tx: Tx, added: readonly MeterCount[]): Promise<MeterCount[]> {
  const rows = added.map(({ countId, window, used }) => [countId, window, used]);
  const sums = await tx.all(addUsed, { rows: JSON.stringify(rows) });
  return sums.map((row) => ({ countId: row.account_id, window: row.day, used: row.used }));
}

/** The counts of an account by day, from a day on. */
export const readDays = (reader: Reader, accountId: string, day: string): Promise<{ day: string; used: number }[]> =>
  reader.all(since, { account_id: accountId, day });

/** The latest day from a day on that has a count, by account. */
export async function readLastDays(
  reader: Reader,
  accountIds: readonly string[],
  day: string,
): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await reader.all(lastOf, { ids: JSON.stringify(accountIds.map((id) => [id])), day });
  return new Map(rows.map((row) => [row.account_id, row.day]));
}

/** Deletes every count before `day`, and between `from` and `to` those that are not of an account's day. */
export async function purgeMeters(tx: Tx, day: string, from: string, to: string): Promise<void> {
  await tx.run(deleteBefore, { day });
  await tx.run(deleteOthers, { from, to });
}
