/**
 * Large mails and attachments in pieces: one statement and one commit of 20 MB would hold the main thread for a tenth of
 * a second. See docs/adr/0100-large-mail-in-pieces.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader, Tx } from '../../../../api/transaction.ts';
import { newId } from '../../../../base/ids.ts';
import { HOUR_MS } from '../../../../base/period.ts';
import { isLarge, type Pieces, type Staged } from './blob-pieces.ts';
import {
  countPieces,
  deleteBlob,
  deletePiece,
  discardBlob,
  dueBlobs,
  insertBlob,
  insertPiece,
  keepBlob,
  readPiece,
  releaseBlob,
  sizeOfBlob,
  takeDueBlob,
} from './blob-store.ts';

export { sizeOfBlob };

const PIECE_BYTES = 262_144;
/** How long what is written may wait for the mail that refers to it. A mail takes seconds. */
const WAITS_MS = HOUR_MS;
/** A signal. */
const RELEASED = 'mail.blobs';
const PIECES_BEFORE_RELIEF = 4;
const PURGED_AT_A_TIME = 16;

/**
 * Writes the large ones of these, in a transaction for each piece, and notes them in `staged`. Nothing refers to them yet:
 * store the mail within an hour, or they are removed.
 */
async function stageLarge(
  database: Database,
  parts: readonly Uint8Array[],
  now: number,
  staged: Map<Uint8Array, string>,
  cut: Pieces = plainPieces,
): Promise<void> {
  for (const part of parts) {
    if (!isLarge(part.length) || staged.has(part)) continue;
    const id = newId('mail', now);
    staged.set(part, id);
    const pieces = Math.ceil(part.length / PIECE_BYTES);
    await database.transaction((tx) => insertBlob(tx, { id, pieces, purgeAt: now + WAITS_MS }));
    let n = 0;
    for (const bytes of cut(part, PIECE_BYTES)) {
      await database.transaction((tx) => insertPiece(tx, { blobId: id, n, bytes }));
      n += 1;
      if (n % PIECES_BEFORE_RELIEF === 0) database.checkpointWal();
    }
  }
}

function* plainPieces(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

/** The blob of these bytes, which the caller's mail refers to from now on. Null: they are not staged. */
export async function keepStaged(tx: Tx, staged: Staged, bytes: Uint8Array): Promise<string | null> {
  // Nothing of it stays, so the bytes need not be written.
  if (tx.dryRun && isLarge(bytes.length)) return 'of a dry run';
  const id = staged.get(bytes);
  if (id === undefined) return null;
  if (!(await keepBlob(tx, id))) throw new Error('the mail was not stored in time');
  return id;
}

/**
 * Lets what no mail refers to go at once. A transaction whose COMMIT was not confirmed may have happened; then its blobs
 * stay. Does not throw: they are removed in an hour anyway.
 */
async function discardStaged(database: Database, staged: Staged): Promise<void> {
  if (staged.size === 0) return;
  const letGo = async (tx: Tx): Promise<void> => {
    let isUnused = false;
    for (const id of staged.values()) if (await discardBlob(tx, id)) isUnused = true;
    if (isUnused) tx.signal(RELEASED);
  };
  await database.transaction(letGo).catch(() => undefined);
}

/**
 * Does the work with the large ones of these in the database, readable unless `cut` seals them. What no mail refers to
 * afterwards is removed at once, whether the work failed or not.
 */
export async function withStaged<T>(
  database: Database,
  parts: readonly Uint8Array[],
  now: number,
  work: (staged: Staged) => Promise<T>,
  cut?: Pieces,
): Promise<T> {
  const staged = new Map<Uint8Array, string>();
  try {
    await stageLarge(database, parts, now, staged, cut);
    return await work(staged);
  } finally {
    await discardStaged(database, staged);
  }
}

/** No mail refers to the blobs any more: they are removed soon. */
export async function releaseBlobs(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const id of ids) await releaseBlob(tx, id);
  if (ids.length > 0) tx.signal(RELEASED);
}

/** The pieces of a blob, in their order. It ends with an error when the blob is removed meanwhile. */
export async function* readPieces(reader: Reader, id: string): AsyncGenerator<Uint8Array> {
  const count = (await countPieces(reader, id)) ?? 0;
  for (let n = 0; n < count; n++) {
    const piece = await readPiece(reader, id, n);
    if (!piece) throw new Error('the mail was deleted while it was read');
    yield piece;
    // In a transaction, all other writes would wait for this one meanwhile.
    if (!('run' in reader)) await nextTurn();
  }
}

/** A whole blob; null when it was removed. */
export async function readBlob(reader: Reader, id: string): Promise<Uint8Array | null> {
  const sizeBytes = await sizeOfBlob(reader, id);
  const all = Buffer.allocUnsafeSlow(sizeBytes);
  const count = (await countPieces(reader, id)) ?? 0;
  let length = 0;
  for (let n = 0; n < count; n++) {
    const piece = await readPiece(reader, id, n);
    if (!piece) return null;
    all.set(piece, length);
    length += piece.length;
    if (!('run' in reader)) await nextTurn();
  }
  return length > 0 && length === sizeBytes ? all : null;
}

/** Removes blobs that no mail refers to, piece by piece: soon after the mail was deleted. */
export class BlobPurge {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #onFault: (err: unknown) => void;
  #running: Promise<void> | null = null;
  #isAsked = false;
  #isStopping = false;
  #unsubscribe = (): void => {};

  constructor(database: Database, now: () => number, onFault: (err: unknown) => void) {
    this.#database = database;
    this.#now = now;
    this.#onFault = onFault;
  }

  open(): void {
    this.#unsubscribe = this.#database.onSignal(RELEASED, () => void this.run());
  }

  /** Never twice at a time. */
  run(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#work();
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    await this.#running;
  }

  async #work(): Promise<void> {
    // Else work that ends at once would be kept for good by `run`.
    await Promise.resolve();
    try {
      while (this.#isAsked && !this.#isStopping) {
        this.#isAsked = false;
        const due = await dueBlobs(this.#database, this.#now(), PURGED_AT_A_TIME);
        for (const { id, pieces } of due) if (!this.#isStopping) await this.#remove(id, pieces);
        if (due.length === PURGED_AT_A_TIME) this.#isAsked = true;
      }
    } catch (err) {
      this.#onFault(err);
    } finally {
      // In the same moment as the last look: a call after it begins anew.
      this.#running = null;
    }
  }

  async #remove(id: string, pieces: number): Promise<void> {
    const database = this.#database;
    // A mail may refer to it since the list was read.
    if (!(await database.transaction((tx) => takeDueBlob(tx, id, this.#now())))) return;
    for (let n = 0; n < pieces; n++) await database.transaction((tx) => deletePiece(tx, id, n));
    await database.transaction((tx) => deleteBlob(tx, id));
  }
}
