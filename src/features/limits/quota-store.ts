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
const takeOne = sql((q, p: Counter & { limit: number }) =>
  q
    .insertInto('quota_counters')
    .values({ account_id: p.account_id, metric: p.metric, period_start: p.period_start, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'metric', 'period_start'])
        .doUpdateSet((eb) => ({ used: eb('quota_counters.used', '+', 1) }))
        .where('quota_counters.used', '<', p.limit),
    )
    .returning('used'),
);

const giveOneBack = sql((q, p: Counter) =>
  q
    .updateTable('quota_counters')
    .set((eb) => ({ used: eb('used', '-', 1) }))
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

/** Counts one more. @returns the new count, or null when the limit is used up */
export const takeCounter = async (
  tx: Tx,
  accountId: string,
  metric: string,
  periodStart: number,
  limit: number,
): Promise<number | null> =>
  limit < 1
    ? null
    : ((await tx.first(takeOne, { account_id: accountId, metric, period_start: periodStart, limit }))?.used ?? null);

/** Takes back one count of the same transaction. */
export const returnCounter = async (tx: Tx, accountId: string, metric: string, periodStart: number): Promise<void> =>
  void (await tx.run(giveOneBack, { account_id: accountId, metric, period_start: periodStart }));

export const readCounter = async (
  reader: Reader,
  accountId: string,
  metric: string,
  periodStart: number,
): Promise<number> =>
  (await reader.first(usedIn, { account_id: accountId, metric, period_start: periodStart }))?.used ?? 0;

export const purgeCounters = (tx: Tx, before: number): Promise<number> => tx.run(deleteBefore, { before });
