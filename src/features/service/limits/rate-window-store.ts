import type { Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

const sql = tables<{ rate_windows: { bucket: string; hits: string; expires_at: number } }>();

/** Creates the row when it is missing and locks it, so that hits on one bucket are decided one after the other. */
const lockBucket = sql((q, p: { bucket: string }) =>
  q
    .insertInto('rate_windows')
    .values({ bucket: p.bucket, hits: '[]', expires_at: 0 })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet((eb) => ({ bucket: eb.ref('excluded.bucket') })))
    .returning('hits'),
);

const storeBucket = sql((q, p: { bucket: string; hits: string; expires_at: number }) =>
  q.updateTable('rate_windows').set({ hits: p.hits, expires_at: p.expires_at }).where('bucket', '=', p.bucket),
);

const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('rate_windows').where('expires_at', '<=', p.now));

export const lockHits = async (tx: Tx, bucket: string): Promise<number[]> =>
  JSON.parse((await tx.first(lockBucket, { bucket }))?.hits ?? '[]') as number[];

export const storeHits = async (tx: Tx, bucket: string, hits: number[], expiresAt: number): Promise<void> =>
  void (await tx.run(storeBucket, { bucket, hits: JSON.stringify(hits), expires_at: expiresAt }));

export const purgeWindows = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
