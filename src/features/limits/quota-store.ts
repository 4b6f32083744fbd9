import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  account_id: string;
  metric: string;
  period_start: number;
  used: number;
}

const sql = tables<{ quota_counters: Row }>();

type Counter = Pick<Row, 'account_id' | 'metric' | 'period_start'>;

/** Checks and counts in one statement, so that concurrent calls cannot exceed the limit. */
const takeSome = sql((q, p: Counter & { most_before: number; amount: number }) =>
  q
    .insertInto('quota_counters')
    .values({ account_id: p.account_id, metric: p.metric, period_start: p.period_start, used: p.amount })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'metric', 'period_start'])
        .doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', p.amount) }))
        .where('quota_counters.used', '<=', p.most_before),
    )
    .returning('used'),
);

const giveSomeBack = sql((q, p: Counter & { amount: number }) =>
  q
    .updateTable('quota_counters')
    .set((eb) => ({ used: eb('used', '-', p.amount) }))
    .where('account_id', '=', p.account_id)
    .where('metric', '=', p.metric)
    .where('period_start', '=', p.period_start),
);

const usedIn = sql((q, p: Counter) =>
  q
    .selectFrom('quota_counters')
    .select('used')
    .where('account_id', '=', p.account_id)
    .where('metric', '=', p.metric)
    .where('period_start', '=', p.period_start),
);

const deleteBefore = sql((q, p: { before: number }) =>
  q.deleteFrom('quota_counters').where('period_start', '<', p.before),
);

const deleteOthers = sql((q, p: { from: number; to: number; kept: string }) =>
  q
    .deleteFrom('quota_counters')
    .where('period_start', '>=', p.from)
    .where('period_start', '<', p.to)
    .where('metric', '<>', p.kept),
);

const since = sql((q, p: Counter) =>
  q
    .selectFrom('quota_counters')
    .select(['period_start', 'used'])
    .where('account_id', '=', p.account_id)
    .where('metric', '=', p.metric)
    .where('period_start', '>=', p.period_start),
);

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
): Promise<number> =>
  (await reader.first(usedIn, { account_id: accountId, metric, period_start: periodStart }))?.used ?? 0;

/** The counts of a metric by period, from a period on. */
export const readCounters = (
  reader: Reader,
  accountId: string,
  metric: string,
  from: number,
): Promise<{ period_start: number; used: number }[]> =>
  reader.all(since, { account_id: accountId, metric, period_start: from });

/** Deletes every count before `before`, and between `from` and `to` those of other metrics than `kept`. */
export async function purgeCounters(tx: Tx, before: number, others: { from: number; to: number; kept: string }) {
  await tx.run(deleteBefore, { before });
  await tx.run(deleteOthers, others);
}
