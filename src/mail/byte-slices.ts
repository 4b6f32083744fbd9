import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_BYTES = 65_536;

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
