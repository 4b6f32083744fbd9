import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { IDEMPOTENCY_KEYS, type IdempotencyRecord } from './idempotency-table.ts';

export const storeReply = IDEMPOTENCY_KEYS.patch(['status', 'body']);
export const forgetReply = IDEMPOTENCY_KEYS.remove();
export const findReply = IDEMPOTENCY_KEYS.find(['scope', 'key', 'expiresAt']);
export const purgeReplies = IDEMPOTENCY_KEYS.purge('expiresAt');

type Row = RowOf<typeof IDEMPOTENCY_KEYS>;

const sql = tables<{ idempotency_keys: Row }>();

/** Takes a free or expired key. */
const takeKey = sql((q, p: Row & { now: number }) =>
  q
    .insertInto('idempotency_keys')
    .values(IDEMPOTENCY_KEYS.values(p))
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'idempotency_key'])
        .doUpdateSet({ fingerprint: p.fingerprint, status: null, body: null, expires_at: p.expires_at })
        .where('idempotency_keys.expires_at', '<=', p.now),
    ),
);

/** @returns false when another request has the key */
export const takeIdempotencyKey = async (
  tx: Tx,
  taking: Pick<IdempotencyRecord, 'scope' | 'key' | 'fingerprint' | 'expiresAt'>,
  now: number,
): Promise<boolean> =>
  (await tx.run(takeKey, { ...IDEMPOTENCY_KEYS.toRow({ ...taking, status: null, body: null }), now })) === 1;
