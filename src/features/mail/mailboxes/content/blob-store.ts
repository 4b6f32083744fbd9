import type { Reader, Tx } from '../../../../api/transaction.ts';
import { tables } from '../../../../db/statement.ts';
import type { BlobPieceRow, BlobRow } from './blob-pieces.ts';

const sql = tables<{ mail_blobs: BlobRow; mail_blob_pieces: BlobPieceRow }>();

const insertRow = sql((q, p: BlobRow) =>
  q.insertInto('mail_blobs').values({ id: p.id, pieces: p.pieces, purge_at: p.purge_at }),
);
const insertPieceRow = sql((q, p: BlobPieceRow) =>
  q.insertInto('mail_blob_pieces').values({ blob_id: p.blob_id, n: p.n, bytes: p.bytes }),
);
const keep = sql((q, p: { id: string }) =>
  q.updateTable('mail_blobs').set({ purge_at: null }).where('id', '=', p.id).where('purge_at', '>', 0),
);
const giveUp = sql((q, p: { id: string }) => q.updateTable('mail_blobs').set({ purge_at: 0 }).where('id', '=', p.id));
const takeDue = sql((q, p: { id: string; now: number }) =>
  q.updateTable('mail_blobs').set({ purge_at: 0 }).where('id', '=', p.id).where('purge_at', '<=', p.now),
);
const discard = sql((q, p: { id: string }) =>
  q.updateTable('mail_blobs').set({ purge_at: 0 }).where('id', '=', p.id).where('purge_at', '>', 0),
);
const piecesOf = sql((q, p: { id: string }) => q.selectFrom('mail_blobs').select('pieces').where('id', '=', p.id));
const pieceAt = sql((q, p: { blob_id: string; n: number }) =>
  q.selectFrom('mail_blob_pieces').select('bytes').where('blob_id', '=', p.blob_id).where('n', '=', p.n),
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
const deletePieceRow = sql((q, p: { blob_id: string; n: number }) =>
  q.deleteFrom('mail_blob_pieces').where('blob_id', '=', p.blob_id).where('n', '=', p.n),
);
const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('mail_blobs').where('id', '=', p.id));

export const insertBlob = async (tx: Tx, blob: BlobRow): Promise<void> => void (await tx.run(insertRow, blob));

export const insertPiece = async (tx: Tx, piece: BlobPieceRow): Promise<void> =>
  void (await tx.run(insertPieceRow, piece));

/** A mail refers to the blob from now on. @returns false when it is being removed */
export const keepBlob = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(keep, { id })) === 1;

/** No mail refers to the blob any more. */
export const releaseBlob = async (tx: Tx, id: string): Promise<void> => void (await tx.run(giveUp, { id }));

/** Lets a blob go that waits for its mail. @returns false when a mail refers to it, or it is being removed already */
export const discardBlob = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(discard, { id })) === 1;

/** From now on no mail can refer to the blob. @returns false when one does, or it was removed meanwhile */
export const takeDueBlob = async (tx: Tx, id: string, now: number): Promise<boolean> =>
  (await tx.run(takeDue, { id, now })) === 1;

/** How many pieces a blob has; null if it does not exist. */
export const countPieces = async (reader: Reader, id: string): Promise<number | null> =>
  (await reader.first(piecesOf, { id }))?.pieces ?? null;

export const readPiece = async (reader: Reader, id: string, n: number): Promise<Uint8Array | null> =>
  (await reader.first(pieceAt, { blob_id: id, n }))?.bytes ?? null;

/** The bytes of all its pieces. A sealed blob has some more than what was sealed. */
export const sizeOfBlob = async (reader: Reader, id: string): Promise<number> =>
  Number((await reader.first(sizeOf, { blob_id: id }))?.size ?? 0);

/** Blobs to remove. */
export const dueBlobs = (reader: Reader, now: number, limit: number) => reader.all(due, { now, limit });

export const deletePiece = async (tx: Tx, id: string, n: number): Promise<void> =>
  void (await tx.run(deletePieceRow, { blob_id: id, n }));

export const deleteBlob = async (tx: Tx, id: string): Promise<void> => void (await tx.run(deleteRow, { id }));
