import type { Reader, Tx } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { tables } from '../../../../db/statement.ts';
import { BLOB_PIECES, BLOBS } from './content-table.ts';

export const insertBlob = BLOBS.insert();
const findBlob = BLOBS.find();
const setPurge = BLOBS.patch(['purgeAt']);
export const deleteBlob = BLOBS.remove();

export const insertPiece = BLOB_PIECES.insert();
const findPiece = BLOB_PIECES.find();
export const deletePiece = BLOB_PIECES.remove();

const sql = tables<{ mail_blobs: RowOf<typeof BLOBS>; mail_blob_pieces: RowOf<typeof BLOB_PIECES> }>();

const keep = sql((q, p: { id: string }) =>
  q.updateTable('mail_blobs').set({ purge_at: null }).where('id', '=', p.id).where('purge_at', '>', 0),
);
const takeDue = sql((q, p: { id: string; now: number }) =>
  q.updateTable('mail_blobs').set({ purge_at: 0 }).where('id', '=', p.id).where('purge_at', '<=', p.now),
);
const discard = sql((q, p: { id: string }) =>
  q.updateTable('mail_blobs').set({ purge_at: 0 }).where('id', '=', p.id).where('purge_at', '>', 0),
);
const sizeOf = sql((q, p: { blob_id: string }) =>
  q
    .selectFrom('mail_blob_pieces')
    .select((eb) => eb.fn.sum<number | null>(eb.fn('length', ['bytes'])).as('size'))
    .where('blob_id', '=', p.blob_id),
);
const due = sql((q, p: { now: number; limit: number }) =>
  q.selectFrom('mail_blobs').select(['id', 'pieces']).where('purge_at', '<=', p.now).orderBy('purge_at').limit(p.limit),
);
/** A mail refers to the blob from now on. @returns false when it is being removed */
export const keepBlob = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(keep, { id })) === 1;

/** No mail refers to the blob any more. */
export const releaseBlob = async (tx: Tx, id: string): Promise<void> => void (await setPurge(tx, { id, purgeAt: 0 }));

/** Lets a blob go that waits for its mail. @returns false when a mail refers to it, or it is being removed already */
export const discardBlob = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(discard, { id })) === 1;

/** From now on no mail can refer to the blob. @returns false when one does, or it was removed meanwhile */
export const takeDueBlob = async (tx: Tx, id: string, now: number): Promise<boolean> =>
  (await tx.run(takeDue, { id, now })) === 1;

/** How many pieces a blob has; null if it does not exist. */
export const countPieces = async (reader: Reader, id: string): Promise<number | null> =>
  (await findBlob(reader, id))?.pieces ?? null;

export const readPiece = async (reader: Reader, id: string, n: number): Promise<Uint8Array | null> =>
  (await findPiece(reader, id, n))?.bytes ?? null;

/** The bytes of all its pieces. A sealed blob has some more than what was sealed. */
export const sizeOfBlob = async (reader: Reader, id: string): Promise<number> =>
  Number((await reader.first(sizeOf, { blob_id: id }))?.size ?? 0);

/** Blobs to remove. */
export const dueBlobs = (reader: Reader, now: number, limit: number) => reader.all(due, { now, limit });
