import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters that are read in one turn of the event loop; a multiple of four. */
const TURN_CHARS = 1_048_576;

/** Accepts both alphabets. */
const isPlain = (text: string): boolean => /^[A-Za-z0-9+/_-]*$/.test(text);

/**
 * Decodes base64 (RFC 4648 4 and 5), with or without padding; long text in turns, so that other work can run between
 * them. Null: it is not base64. A single character after the last group of four is invalid.
 */
export async function decodeBase64(text: string): Promise<Buffer<ArrayBuffer> | null> {
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  const length = text.length - padding;
  if (length % 4 === 1) return null;
  const bytes = Buffer.allocUnsafeSlow(Math.floor((length * 3) / 4));
  for (let start = 0; start < length; start += TURN_CHARS) {
    const part = text.slice(start, Math.min(length, start + TURN_CHARS));
    if (!isPlain(part)) return null;
    bytes.write(part, (start / 4) * 3, 'base64');
    if (start + TURN_CHARS < length) await nextTurn();
  }
  return bytes;
}
