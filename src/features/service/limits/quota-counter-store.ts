import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { utcDay } from '../../../base/period.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonRows, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { QUOTA_COUNTERS, type QuotaCounter } from './quota-counter-table.ts';

/** Names a count: of what, whose, and in which period. */
export type CounterKey = Omit<QuotaCounter, 'used'>;

const sql = tables<{ quota_counters: RowOf<typeof QUOTA_COUNTERS> }>();

const KEY = ['account_id', 'metric', 'period_start'] as const;

/** Checks and counts in one statement, so that concurrent calls cannot exceed the limit. */
const takeSome = sql((q, p: CounterKey & { mostBefore: number; amount: number }) =>
  q
    .insertInto('quota_counters')
    .values({ account_id: p.accountId, metric: p.metric, period_start: p.periodStart, used: p.amount })
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', p.amount) }))
        .where('quota_counters.used', '<=', p.mostBefore),
    )
    .returning('used'),
);

/** Two counters of an account. */
type TwoCounters = { accountId: string } & Record<'metricA' | 'metricB', string> & Record<'startA' | 'startB', number>;

/** Counts one more in two counters, each for itself. One without room is not returned. */
const takeTwo = sql((q, p: TwoCounters & Record<'maxA' | 'maxB', number>) =>
  q
    .insertInto('quota_counters')
    .values([
      { account_id: p.accountId, metric: p.metricA, period_start: p.startA, used: 1 },
      { account_id: p.accountId, metric: p.metricB, period_start: p.startB, used: 1 },
    ])
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', 1) }))
        .where(
          raw<boolean>`quota_counters.used < case quota_counters.metric when ${p.metricA}
            then cast(${p.maxA} as bigint) else cast(${p.maxB} as bigint) end`,
        ),
    )
    .returning(['metric', 'used']),
);

/** Without `where true`, SQLite reads ON CONFLICT as the ON of a join. */
const addEach = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('quota_counters')
    .columns(QUOTA_COUNTERS.names)
    .expression((eb) =>
      eb
        .selectFrom(jsonRows(engine, p.rows, QUOTA_COUNTERS.jsonTypes()).as('given'))
        .select(QUOTA_COUNTERS.names)
        .where(eb.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', eb.ref('excluded.used')) })),
    )
    .returning(QUOTA_COUNTERS.names),
);

const giveSomeBack = sql((q, p: CounterKey & { amount: number }) =>
  q
    .updateTable('quota_counters')
    .set((eb) => ({ used: eb('used', '-', p.amount) }))
    .where('account_id', '=', p.accountId)
    .where('metric', '=', p.metric)
    .where('period_start', '=', p.periodStart),
);

const usedInBoth = sql((q, p: TwoCounters) => {
  const used = q.selectFrom('quota_counters').select('used').where('account_id', '=', p.accountId);
  return q.selectNoFrom([
    used.where('metric', '=', p.metricA).where('period_start', '=', p.startA).as('a'),
    used.where('metric', '=', p.metricB).where('period_start', '=', p.startB).as('b'),
  ]);
});

/** The same counter of several accounts. */
type OfEach = Omit<CounterKey, 'accountId'> & { ids: string };

const usedByEach = sql((q, p: OfEach, engine) =>
  q
    .selectFrom('quota_counters')
    .select(['account_id', 'used'])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('metric', '=', p.metric)
    .where('period_start', '=', p.periodStart),
);

const lastOfEach = sql((q, p: OfEach, engine) =>
  q
    .selectFrom('quota_counters')
    .select((eb) => ['account_id', eb.fn.max('period_start').as('last')])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('metric', '=', p.metric)
    .where('period_start', '>=', p.periodStart)
    .groupBy('account_id'),
);

const since = sql((q, p: CounterKey) =>
  q
    .selectFrom('quota_counters')
    .select(['period_start', 'used'])
    .where('account_id', '=', p.accountId)
    .where('metric', '=', p.metric)
    .where('period_start', '>=', p.periodStart),
);

const deleteOthers = sql((q, p: { from: number; to: number; keptA: string; keptB: string }) =>
  q
    .deleteFrom('quota_counters')
    .where('period_start', '>=', p.from)
    .where('period_start', '<', p.to)
    .where('metric', 'not in', [p.keptA, p.keptB]),
);

const purgePeriods = QUOTA_COUNTERS.purge('periodStart');
const findCounter = QUOTA_COUNTERS.find();

/** Counts `amount` more, or nothing. @returns the new count, or null when they do not fit the limit */
export async function takeCounter(tx: Tx, key: CounterKey, limit: number, amount = 1): Promise<number | null> {
  if (limit < amount) return null;
  return (await tx.first(takeSome, { ...key, mostBefore: limit - amount, amount }))?.used ?? null;
}

const twoCounters = (a: CounterKey, b: CounterKey): TwoCounters => ({
  accountId: a.accountId,
  metricA: a.metric,
  metricB: b.metric,
  startA: a.periodStart,
  startB: b.periodStart,
});

/**
 * Counts one more in each of two counters of an account that has room.
 * @returns the new counts; null for one that has none
 */
export async function takeBoth(
  tx: Tx,
  [a, maxA]: readonly [CounterKey, number],
  [b, maxB]: readonly [CounterKey, number],
): Promise<[number | null, number | null]> {
  // A first row is inserted without a look at its limit.
  if (maxA < 1 || maxB < 1) return [await takeCounter(tx, a, maxA), await takeCounter(tx, b, maxB)];
  const rows = await tx.all(takeTwo, { ...twoCounters(a, b), maxA, maxB });
  const usedOf = ({ metric }: CounterKey) => rows.find((row) => row.metric === metric)?.used ?? null;
  return [usedOf(a), usedOf(b)];
}

/**
 * Adds to counters, each named once, without a look at a limit. Give them in one order on every instance, so that two do
 * not wait for each other. @returns the sums over all instances
 */
export async function addToCounters(tx: Tx, added: readonly QuotaCounter[]): Promise<QuotaCounter[]> {
  const sums = await tx.all(addEach, { rows: QUOTA_COUNTERS.json(added) });
  return sums.map(QUOTA_COUNTERS.fromRow);
}

/** Takes back what was counted. */
export const returnCounter = async (tx: Tx, key: CounterKey, amount = 1): Promise<void> =>
  void (await tx.run(giveSomeBack, { ...key, amount }));

export const readCounter = async (reader: Reader, key: CounterKey): Promise<number> =>
  (await findCounter(reader, key.accountId, key.metric, key.periodStart))?.used ?? 0;

/** The counts of two counters of an account, with one statement. */
export async function readBoth(reader: Reader, a: CounterKey, b: CounterKey): Promise<[number, number]> {
  const found = await reader.first(usedInBoth, twoCounters(a, b));
  return [found?.a ?? 0, found?.b ?? 0];
}

/** A counter of each of these accounts. Those without one are left out. */
export async function readCounterOfEach(
  reader: Reader,
  accountIds: readonly string[],
  metric: string,
  periodStart: number,
): Promise<Map<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await reader.all(usedByEach, { ids: jsonTexts(accountIds), metric, periodStart });
  return new Map(rows.map((row) => [row.account_id, row.used]));
}

/** When the last period of each account began, from a period on. Those that counted nothing are left out. */
export async function readLastPeriods(
  reader: Reader,
  accountIds: readonly string[],
  metric: string,
  from: number,
): Promise<Map<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await reader.all(lastOfEach, { ids: jsonTexts(accountIds), metric, periodStart: from });
  return new Map(rows.map((row) => [row.account_id, row.last]));
}

/** The counts of the periods from that of a key on, by day. Days without any are left out. */
export const readDays = async (reader: Reader, from: CounterKey): Promise<Map<string, number>> =>
  new Map((await reader.all(since, from)).map((row) => [utcDay(row.period_start), row.used]));

/** Deletes every count before `before`, and between `from` and `to` those of other metrics than `kept`. */
export async function purgeCounters(
  tx: Tx,
  before: number,
  { from, to, kept: [a, b] }: { from: number; to: number; kept: readonly [string, string] },
): Promise<void> {
  await purgePeriods(tx, before - 1);
  await tx.run(deleteOthers, { from, to, keptA: a, keptB: b });
}
