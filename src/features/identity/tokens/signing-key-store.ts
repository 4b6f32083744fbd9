import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { type RecordedKey, SIGNING_KEYS } from './token-table.ts';

const insertKey = SIGNING_KEYS.insertNew();
export const findSigningKey = SIGNING_KEYS.find();

const sql = tables<{ signing_keys: RowOf<typeof SIGNING_KEYS> }>();

const retireOthers = sql((q, p: { kid: string; now: number }) =>
  q.updateTable('signing_keys').set({ retired_at: p.now }).where('kid', '<>', p.kid).where('retired_at', 'is', null),
);

const revokeOne = sql((q, p: { kid: string; now: number }) =>
  q
    .updateTable('signing_keys')
    .set((eb) => ({ revoked_at: p.now, retired_at: eb.fn.coalesce('retired_at', eb.val(p.now)) }))
    .where('kid', '=', p.kid)
    .where('revoked_at', 'is', null),
);

/** One row for each instance and rotation, so there are few. */
const allKeys = sql((q) =>
  q
    .selectFrom('signing_keys')
    .select(SIGNING_KEYS.names)
    .where('created_at', '>=', 0)
    .orderBy('created_at', 'desc')
    .limit(1000),
);

/** Records a public key. A key that is already recorded stays unchanged. */
export const recordKey = async (tx: Tx, { kid, x }: Pick<RecordedKey, 'kid' | 'x'>, now: number): Promise<void> =>
  void (await insertKey(tx, { kid, x, createdAt: now, retiredAt: null, revokedAt: null }));

/** Retires every other key. @returns how many */
export const retireAllBut = (tx: Tx, kid: string, now: number): Promise<number> => tx.run(retireOthers, { kid, now });

/** Marks a key as revoked and retired. @returns false when it already was revoked */
export const markKeyRevoked = async (tx: Tx, kid: string, now: number): Promise<boolean> =>
  (await tx.run(revokeOne, { kid, now })) === 1;

/** Lists all keys, newest first. */
export const listKeys = async (reader: Reader): Promise<RecordedKey[]> =>
  (await reader.all(allKeys, {})).map(SIGNING_KEYS.fromRow);
