import { PassThrough, type Readable } from 'node:stream';
import type { Feeds } from './event-feed.ts';
import { eventId, type LoggedEvent } from './event-log.ts';

/** How long a reader may leave its buffer full. */
const STALLED_MS = 10_000;
/** How soon a browser comes back, milliseconds. */
const RETRY_MS = 2000;

/** One event in the form of the HTML standard's server-sent events; JSON holds no line break, so one `data:` line does. */
const sseFrame = ({ id, type, created_at, data }: LoggedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, created_at, data })}\n\n`;

/** Resolves when the reader has caught up; false when it has not within {@link STALLED_MS} or has left. */
function drained(stream: PassThrough): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasRoom: boolean): void => {
      clearTimeout(timer);
      stream.off('drain', onDrain).off('close', onClose);
      resolve(hasRoom);
    };
    const onDrain = (): void => settle(true);
    const onClose = (): void => settle(false);
    const timer = setTimeout(() => settle(false), STALLED_MS);
    stream.once('drain', onDrain).once('close', onClose);
  });
}

/**
 * The events of an account behind a number, as a stream that ends with its reader.
 * @param stillAllowed asked with every heartbeat: a key may be revoked while its stream is open
 */
export function openEventStream(
  feeds: Feeds,
  accountId: string,
  afterSeq: number,
  stillAllowed: () => Promise<boolean>,
): Readable {
  const stream = new PassThrough({ highWaterMark: 65_536 });
  // The id comes before any event: who loses the connection before the first one knows where to go on all the same.
  stream.write(`id: ${eventId(accountId, afterSeq)}\nretry: ${RETRY_MS}\n\n`);
  const stop = feeds.follow(accountId, afterSeq, {
    deliver: async (events) => {
      if (stream.destroyed) return false;
      const hasRoom = stream.write(events.map(sseFrame).join(''));
      if (hasRoom || (await drained(stream))) return true;
      stream.destroy();
      return false;
    },
    heartbeat: () => {
      // A comment line: keeps proxies from closing a quiet stream.
      stream.write(':\n\n');
      void stillAllowed().then((allowed) => (allowed ? undefined : stream.end()));
    },
    end: () => stream.end(),
  });
  stream.once('close', stop);
  return stream;
}
