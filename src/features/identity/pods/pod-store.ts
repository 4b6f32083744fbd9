import type { Reader, Tx } from '../../../api/transaction.ts';
import { idBoundary } from '../../../base/ids.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { PODS, type PodRecord } from './pod-table.ts';

type Row = RowOf<typeof PODS>;

const sql = tables<{ pods: Row }>();

/** How many active pods each platform has. */
export const podSlots = slotCounter('pod_counts');

const insertRow = sql((q, p: Row) => q.insertInto('pods').values(PODS.values(p)));

const byId = sql((q, p: { pod_id: string }) => q.selectFrom('pods').select(PODS.names).where('pod_id', '=', p.pod_id));

const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('pods').select(PODS.names).where('account_id', '=', p.account_id),
);

/** Newest first. */
const page = sql((q, p: { parent_account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('pods')
    .select(PODS.names)
    .where('parent_account_id', '=', p.parent_account_id)
    .where('pod_id', '<', p.before)
    .orderBy('pod_id', 'desc')
    .limit(p.limit),
);

/** Made, or given access to, since a time. `id` is the first that a pod of this time could have. */
const since = sql((q, p: { parent_account_id: string; id: string; at: number }) =>
  q
    .selectFrom('pods')
    .select(PODS.names)
    .where('parent_account_id', '=', p.parent_account_id)
    .where((eb) => eb.or([eb('pod_id', '>=', p.id), eb('access_given_at', '>=', p.at)]))
    .orderBy('pod_id'),
);

const setAccess = sql((q, p: { pod_id: string; now: number }) =>
  q.updateTable('pods').set({ access_given_at: p.now }).where('pod_id', '=', p.pod_id),
);

const setLimits = sql((q, p: Pick<Row, 'pod_id' | 'per_minute' | 'per_hour' | 'per_day' | 'updated_at'>) =>
  q
    .updateTable('pods')
    .set({ per_minute: p.per_minute, per_hour: p.per_hour, per_day: p.per_day, updated_at: p.updated_at })
    .where('pod_id', '=', p.pod_id),
);

export const insertPod = async (tx: Tx, pod: PodRecord): Promise<void> =>
  void (await tx.run(insertRow, PODS.toRow(pod)));

export async function findPod(reader: Reader, podId: string): Promise<PodRecord | null> {
  const row = await reader.first(byId, { pod_id: podId });
  return row ? PODS.fromRow(row) : null;
}

export async function findPodOfAccount(reader: Reader, accountId: string): Promise<PodRecord | null> {
  const row = await reader.first(byAccount, { account_id: accountId });
  return row ? PODS.fromRow(row) : null;
}

/** Lists the pods of a platform before an id, newest first. */
export const listPods = async (
  reader: Reader,
  parentAccountId: string,
  before: string,
  limit: number,
): Promise<PodRecord[]> =>
  (await reader.all(page, { parent_account_id: parentAccountId, before, limit })).map(PODS.fromRow);

/** Lists the pods of a platform that it made, or gave access to, since a time, oldest first. */
export const listPodsSince = async (reader: Reader, parentAccountId: string, at: number): Promise<PodRecord[]> =>
  (await reader.all(since, { parent_account_id: parentAccountId, id: idBoundary('pod', at), at })).map(PODS.fromRow);

export const saveAccess = async (tx: Tx, podId: string, now: number): Promise<void> =>
  void (await tx.run(setAccess, { pod_id: podId, now }));

/** Saves the rate limits of a pod and the time of the change. */
export const savePod = async (tx: Tx, pod: PodRecord): Promise<void> => void (await tx.run(setLimits, PODS.toRow(pod)));
