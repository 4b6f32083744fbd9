import { tables } from '../../db/statement.ts';
import type { RateLimits } from '../../kernel/period.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  pod_id: string;
  account_id: string;
  parent_account_id: string;
  per_minute: number | null;
  per_hour: number | null;
  per_day: number | null;
  created_at: number;
  updated_at: number;
}

/** What a platform set for its pod; name, status and scopes are its account's. */
export interface PodRow {
  podId: string;
  accountId: string;
  parentAccountId: string;
  rateLimits: RateLimits;
  createdAt: number;
  updatedAt: number;
}

const sql = tables<{ pods: Row; pod_counts: { account_id: string; used: number } }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('pods').values({
    pod_id: p.pod_id,
    account_id: p.account_id,
    parent_account_id: p.parent_account_id,
    per_minute: p.per_minute,
    per_hour: p.per_hour,
    per_day: p.per_day,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

const byId = sql((q, p: { pod_id: string }) => q.selectFrom('pods').selectAll().where('pod_id', '=', p.pod_id));

const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('pods').selectAll().where('account_id', '=', p.account_id),
);

/** Newest first. */
const page = sql((q, p: { parent_account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('pods')
    .selectAll()
    .where('parent_account_id', '=', p.parent_account_id)
    .where('pod_id', '<', p.before)
    .orderBy('pod_id', 'desc')
    .limit(p.limit),
);

const setLimits = sql((q, p: Pick<Row, 'pod_id' | 'per_minute' | 'per_hour' | 'per_day' | 'updated_at'>) =>
  q
    .updateTable('pods')
    .set({ per_minute: p.per_minute, per_hour: p.per_hour, per_day: p.per_day, updated_at: p.updated_at })
    .where('pod_id', '=', p.pod_id),
);

/** One more pod, unless the platform has as many as it may: checked and counted in one statement. */
const takeSlot = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('pod_counts')
    .values({ account_id: p.account_id, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ used: eb('pod_counts.used', '+', 1) }))
        .where('pod_counts.used', '<', p.limit),
    ),
);

const giveSlotBack = sql((q, p: { account_id: string }) =>
  q
    .updateTable('pod_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id)
    .where('used', '>', 0),
);

const usedBy = sql((q, p: { account_id: string }) =>
  q.selectFrom('pod_counts').select('used').where('account_id', '=', p.account_id),
);

const toPod = (row: Row): PodRow => ({
  podId: row.pod_id,
  accountId: row.account_id,
  parentAccountId: row.parent_account_id,
  rateLimits: { minute: row.per_minute, hour: row.per_hour, day: row.per_day },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const limitColumns = ({ minute, hour, day }: RateLimits) => ({ per_minute: minute, per_hour: hour, per_day: day });

export const insertPod = async (tx: Tx, pod: PodRow): Promise<void> =>
  void (await tx.run(insertRow, {
    pod_id: pod.podId,
    account_id: pod.accountId,
    parent_account_id: pod.parentAccountId,
    ...limitColumns(pod.rateLimits),
    created_at: pod.createdAt,
    updated_at: pod.updatedAt,
  }));

export async function findPod(reader: Reader, podId: string): Promise<PodRow | null> {
  const row = await reader.first(byId, { pod_id: podId });
  return row ? toPod(row) : null;
}

export async function findPodOfAccount(reader: Reader, accountId: string): Promise<PodRow | null> {
  const row = await reader.first(byAccount, { account_id: accountId });
  return row ? toPod(row) : null;
}

export const listPods = async (
  reader: Reader,
  parentAccountId: string,
  before: string,
  limit: number,
): Promise<PodRow[]> => (await reader.all(page, { parent_account_id: parentAccountId, before, limit })).map(toPod);

export const savePod = async (tx: Tx, { podId, rateLimits, updatedAt }: PodRow): Promise<void> =>
  void (await tx.run(setLimits, { pod_id: podId, ...limitColumns(rateLimits), updated_at: updatedAt }));

export const takePodSlot = async (tx: Tx, platformId: string, limit: number): Promise<boolean> =>
  limit > 0 && (await tx.run(takeSlot, { account_id: platformId, limit })) === 1;

export const returnPodSlot = async (tx: Tx, platformId: string): Promise<void> =>
  void (await tx.run(giveSlotBack, { account_id: platformId }));

export const countPods = async (reader: Reader, platformId: string): Promise<number> =>
  (await reader.first(usedBy, { account_id: platformId }))?.used ?? 0;
