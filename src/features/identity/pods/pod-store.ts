import type { Reader } from '../../../api/transaction.ts';
import { idBoundary } from '../../../base/ids.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { PODS, type PodRecord } from './pod-table.ts';

/** How many active pods each platform has. */
export const podSlots = slotCounter('pods');

export const insertPod = PODS.insert();
export const findPod = PODS.find();
export const findPodOfAccount = PODS.find(['accountId']);
export const listPods = PODS.page(['parentAccountId']);
export const saveAccess = PODS.patch(['accessGivenAt']);
/** Saves the rate limits of a pod and the time of the change. */
export const savePod = PODS.patch(['perMinute', 'perHour', 'perDay', 'updatedAt']);

const sql = tables<{ pods: RowOf<typeof PODS> }>();

/** Made, or given access to, since a time. `id` is the first that a pod of this time could have. */
const since = sql((q, p: { parent_account_id: string; id: string; at: number }) =>
  q
    .selectFrom('pods')
    .select(PODS.names)
    .where('parent_account_id', '=', p.parent_account_id)
    .where((eb) => eb.or([eb('pod_id', '>=', p.id), eb('access_given_at', '>=', p.at)]))
    .orderBy('pod_id'),
);

/** Lists the pods of a platform that it made, or gave access to, since a time, oldest first. */
export const listPodsSince = async (reader: Reader, parentAccountId: string, at: number): Promise<PodRecord[]> =>
  (await reader.all(since, { parent_account_id: parentAccountId, id: idBoundary('pod', at), at })).map(PODS.fromRow);
