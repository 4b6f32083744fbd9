/** Bytes up to this length are stored in the row of their mail. */
const LARGE_BYTES = 1_048_576;

export const isLarge = (sizeBytes: number): boolean => sizeBytes > LARGE_BYTES;

/** Bytes that are in the database already, and the ids of their blobs. */
export type Staged = ReadonlyMap<Uint8Array, string>;

/** Cuts bytes into what is stored: a piece for each `pieceBytes` of them. */
export type Pieces = (bytes: Uint8Array, pieceBytes: number) => Iterable<Uint8Array>;

export const NOT_STAGED: Staged = new Map();
