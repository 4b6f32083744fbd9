import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_BYTES = 65_536;
/** Bytes up to this length are copied at once. */
const AT_ONCE_BYTES = 524_288;

/**
 * A buffer as a stream of small pieces, so that other work can run between them. The mail library encodes, signs and
 * escapes each piece without a pause: 25 MiB in one piece would stop the process for a tenth of a second.
 */
export const slicesOf = (bytes: Buffer): Readable => Readable.from(slices(bytes), { objectMode: false });

async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield bytes.subarray(start, start + SLICE_BYTES);
    await nextTurn();
  }
}

/** Whether copying so many bytes would hold up other work. */
export const isLong = (bytes: number): boolean => bytes > AT_ONCE_BYTES;

/** A copy of many bytes for a thread, made in turns. */
export const copyForThread = async (bytes: Uint8Array): Promise<ArrayBuffer> => (await joined([bytes])).buffer;

/** Buffers as one, in new memory. Many bytes are copied in turns, so that other work can run between them. */
export async function joined(parts: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let sinceTurn = 0;
  for (const part of parts)
    for (let start = 0; start < part.length; ) {
      const piece = part.subarray(start, start + AT_ONCE_BYTES);
      all.set(piece, at);
      at += piece.length;
      start += piece.length;
      sinceTurn += piece.length;
      if (sinceTurn < AT_ONCE_BYTES) continue;
      sinceTurn = 0;
      await nextTurn();
    }
  return all;
}
