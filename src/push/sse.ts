import { Readable } from 'node:stream';
import type { Feeds } from './event-feed.ts';
import { eventId, type LoggedEvent } from './event-log.ts';
import type { StreamGrant } from './stream-grant.ts';

/** How soon a browser comes back, milliseconds. */
const RETRY_MS = 2000;
/** What is on its way when a stream ends gets this long; a reader that takes nothing would hold the connection. */
const PARTING_MS = 1000;
const BUFFER_BYTES = 65_536;

/** One event in the form of the HTML standard's server-sent events; JSON holds no line break, so one `data:` line does. */
const sseFrame = ({ id, type, created_at, data }: LoggedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, created_at, data })}\n\n`;

/**
 * The events that a grant admits to, as a stream that ends with its reader. A reader that came without an id is told
 * where the stream begins: if it loses the connection before the first event, it knows where to go on all the same.
 */
export function openEventStream(feeds: Feeds, grant: StreamGrant, hasId: boolean): Readable {
  let onRoom: (() => void) | undefined;
  const stream = new Readable({ highWaterMark: BUFFER_BYTES, read: () => onRoom?.() });
  /** Resolves when the reader has caught up, or has left. */
  const room = (): Promise<boolean> =>
    new Promise((resolve) => {
      onRoom = () => {
        onRoom = undefined;
        resolve(!stream.destroyed);
      };
    });
  const { accountId, afterSeq } = grant.start;
  stream.push(`${hasId ? '' : `id: ${eventId(accountId, afterSeq)}\n`}retry: ${RETRY_MS}\n\n`);
  const stop = feeds.follow(grant.start, {
    deliver: async (events) => {
      if (stream.destroyed) return false;
      return stream.push(events.map(sseFrame).join('')) || room();
    },
    // A comment line: keeps proxies from closing a quiet stream.
    heartbeat: () => void stream.push(':\n\n'),
    stillAllowed: grant.stillAllowed,
    end: (why) => {
      if (why === 'stalled') {
        stream.destroy();
        return;
      }
      stream.push(null);
      setTimeout(() => stream.destroy(), PARTING_MS).unref();
    },
  });
  stream.once('close', () => {
    stop();
    onRoom?.();
    grant.release();
  });
  return stream;
}
