import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonRows } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { QUOTA_COUNTERS, type QuotaCounter } from './quota-counter-table.ts';

type Row = RowOf<typeof QUOTA_COUNTERS>;
type Key = Omit<Row, 'used'>;

const sql = tables<{ quota_counters: Row }>();

const KEY = ['account_id', 'metric', 'period_start'] as const;

/** Checks and counts in one statement, so that concurrent calls cannot exceed the limit. */
const takeSome = sql((q, p: Key & { most_before: number; amount: number }) =>
  q
    .insertInto('quota_counters')
    .values({ account_id: p.account_id, metric: p.metric, period_start: p.period_start, used: p.amount })
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', p.amount) }))
        .where('quota_counters.used', '<=', p.most_before),
    )
    .returning('used'),
);

/** Counts one more in two counters of an account, each for itself. One without room is not returned. */
const takeTwo = sql(
  (q, p: { account_id: string } & Record<'metric_a' | 'metric_b', string> & Record<Numbers, number>) =>
    q
      .insertInto('quota_counters')
      .values([
        { account_id: p.account_id, metric: p.metric_a, period_start: p.start_a, used: 1 },
        { account_id: p.account_id, metric: p.metric_b, period_start: p.start_b, used: 1 },
      ])
      .onConflict((conflict) =>
        conflict
          .columns(KEY)
          .doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', 1) }))
          .where(
            raw<boolean>`quota_counters.used < case quota_counters.metric when ${p.metric_a}
            then cast(${p.max_a} as bigint) else cast(${p.max_b} as bigint) end`,
          ),
      )
      .returning(['metric', 'used']),
);
type Numbers = 'start_a' | 'start_b' | 'max_a' | 'max_b';

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

const giveSomeBack = sql((q, p: Key & { amount: number }) =>
  q
    .updateTable('quota_counters')
    .set((eb) => ({ used: eb('used', '-', p.amount) }))
    .where('account_id', '=', p.account_id)
    .where('metric', '=', p.metric)
    .where('period_start', '=', p.period_start),
);

const usedInBoth = sql(
  (q, p: { account_id: string } & Record<'metric_a' | 'metric_b', string> & Record<'start_a' | 'start_b', number>) => {
    const used = q.selectFrom('quota_counters').select('used').where('account_id', '=', p.account_id);
    return q.selectNoFrom([
      used.where('metric', '=', p.metric_a).where('period_start', '=', p.start_a).as('a'),
      used.where('metric', '=', p.metric_b).where('period_start', '=', p.start_b).as('b'),
    ]);
  },
);

const usedByEach = sql((q, p: Omit<Key, 'account_id'> & { ids: string }, engine) =>
  q
    .selectFrom('quota_counters')
    .select(['account_id', 'used'])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('metric', '=', p.metric)
    .where('period_start', '=', p.period_start),
);

const lastOfEach = sql((q, p: Omit<Key, 'account_id'> & { ids: string }, engine) =>
  q
    .selectFrom('quota_counters')
    .select((eb) => ['account_id', eb.fn.max('period_start').as('last')])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('metric', '=', p.metric)
    .where('period_start', '>=', p.period_start)
    .groupBy('account_id'),
);

const since = sql((q, p: Key) =>
  q
    .selectFrom('quota_counters')
    .select(['period_start', 'used'])
    .where('account_id', '=', p.account_id)
    .where('metric', '=', p.metric)
    .where('period_start', '>=', p.period_start),
);

const deleteOthers = sql((q, p: { from: number; to: number; kept_a: string; kept_b: string }) =>
  q
    .deleteFrom('quota_counters')
    .where('period_start', '>=', p.from)
    .where('period_start', '<', p.to)
    .where('metric', 'not in', [p.kept_a, p.kept_b]),
);

const deleteBefore = QUOTA_COUNTERS.purge('periodStart');
const findCounter = QUOTA_COUNTERS.find();

/** Counts `amount` more, or nothing. @returns the new count, or null when they do not fit the limit */
export const takeCounter = async (
  tx: Tx,
  accountId: string,
  metric: string,
  periodStart: number,
  limit: number,
  amount = 1,
): Promise<number | null> => {
  if (limit < amount) return null;
  const counter = { account_id: accountId, metric, period_start: periodStart };
  return (await tx.first(takeSome, { ...counter, most_before: limit - amount, amount }))?.used ?? null;
};

/** What is counted once in a period, up to a limit. */
export interface Once {
  metric: string;
  periodStart: number;
  limit: number;
}

/** Counts one more in each of two counters that has room. @returns the new counts; null for one that has none */
export async function takeBoth(tx: Tx, accountId: string, a: Once, b: Once): Promise<[number | null, number | null]> {
  if (a.limit < 1 || b.limit < 1)
    return [
      await takeCounter(tx, accountId, a.metric, a.periodStart, a.limit),
      await takeCounter(tx, accountId, b.metric, b.periodStart, b.limit),
    ];
  const rows = await tx.all(takeTwo, {
    account_id: accountId,
    metric_a: a.metric,
    metric_b: b.metric,
    start_a: a.periodStart,
    start_b: b.periodStart,
    max_a: a.limit,
    max_b: b.limit,
  });
  const usedOf = ({ metric }: Once) => rows.find((row) => row.metric === metric)?.used ?? null;
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
export const returnCounter = async (
  tx: Tx,
  accountId: string,
  metric: string,
  periodStart: number,
  amount = 1,
): Promise<void> =>
  void (await tx.run(giveSomeBack, { account_id: accountId, metric, period_start: periodStart, amount }));

export const readCounter = async (
  reader: Reader,
  accountId: string,
  metric: string,
  periodStart: number,
): Promise<number> => (await findCounter(reader, accountId, metric, periodStart))?.used ?? 0;

/** The counts of two counters, with one statement. */
export async function readBoth(
  reader: Reader,
  accountId: string,
  a: Pick<Once, 'metric' | 'periodStart'>,
  b: Pick<Once, 'metric' | 'periodStart'>,
): Promise<[number, number]> {
  const found = await reader.first(usedInBoth, {
    account_id: accountId,
    metric_a: a.metric,
    metric_b: b.metric,
    start_a: a.periodStart,
    start_b: b.periodStart,
  });
  return [found?.a ?? 0, found?.b ?? 0];
}

const idsOf = (accountIds: readonly string[]): string => JSON.stringify(accountIds.map((id) => [id]));

/** A counter of each of these accounts. Those without one are left out. */
export async function readCounterOfEach(
  reader: Reader,
  accountIds: readonly string[],
  metric: string,
  periodStart: number,
): Promise<Map<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await reader.all(usedByEach, { ids: idsOf(accountIds), metric, period_start: periodStart });
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
  const rows = await reader.all(lastOfEach, { ids: idsOf(accountIds), metric, period_start: from });
  return new Map(rows.map((row) => [row.account_id, row.last]));
}

/** The counts of a metric by period, from a period on. */
export const readCounters = (
  reader: Reader,
  accountId: string,
  metric: string,
  from: number,
): Promise<{ period_start: number; used: number }[]> =>
  reader.all(since, { account_id: accountId, metric, period_start: from });

/** Deletes every count before `before`, and between `from` and `to` those of other metrics than `kept`. */
export async function purgeCounters(
  tx: Tx,
  before: number,
  { from, to, kept: [a, b] }: { from: number; to: number; kept: readonly [string, string] },
): Promise<void> {
  await deleteBefore(tx, before);
  await tx.run(deleteOthers, { from, to, kept_a: a, kept_b: b });
}
