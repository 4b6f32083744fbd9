import { tables } from '../../db/statement.ts';
import type { PublicKey } from '../../kernel/public-keys.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface KeyRow {
  kid: string;
  x: string;
  created_at: number;
  retired_at: number | null;
}

const sql = tables<{ signing_keys: KeyRow }>();

const insertKey = sql((q, p: { kid: string; x: string; now: number }) =>
  q
    .insertInto('signing_keys')
    .values({ kid: p.kid, x: p.x, created_at: p.now, retired_at: null })
    .onConflict((conflict) => conflict.doNothing()),
);

const retireOthers = sql((q, p: { kid: string; now: number }) =>
  q.updateTable('signing_keys').set({ retired_at: p.now }).where('kid', '<>', p.kid).where('retired_at', 'is', null),
);

/** As many as ever were, which is few: one for each instance and rotation. */
const allKeys = sql((q) =>
  q.selectFrom('signing_keys').selectAll().where('created_at', '>=', 0).orderBy('created_at', 'desc').limit(1000),
);

/** Puts a key on record; one that is there already stays as it is. */
export const recordKey = async (tx: Tx, { kid, x }: PublicKey, now: number): Promise<void> =>
  void (await tx.run(insertKey, { kid, x, now }));

/** Every other key signs no more. */
export const retireAllBut = (tx: Tx, kid: string, now: number): Promise<number> => tx.run(retireOthers, { kid, now });

/** Newest first. */
export const listKeys = async (reader: Reader): Promise<(PublicKey & { retiredAt: number | null })[]> =>
  (await reader.all(allKeys, {})).map(({ kid, x, retired_at }) => ({ kid, x, retiredAt: retired_at }));
