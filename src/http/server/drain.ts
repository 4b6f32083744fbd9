import type { IncomingMessage } from 'node:http';

const BYTES_MAX = 16 * 1_048_576;
const MS_MAX = 5000;

/**
 * Reads the rest of a body after a reply that did not need it, up to 16 MiB and 5 seconds. A connection that is closed while
 * the client still sends is reset, and the reset deletes what the client has not read: it never hears the refusal
 * (RFC 9112 9.6).
 */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = BYTES_MAX;
  const giveUp = (): void => void request.socket.destroy();
  const timer = setTimeout(giveUp, MS_MAX).unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) giveUp();
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
