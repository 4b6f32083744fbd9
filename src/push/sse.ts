import { PassThrough, type Readable } from 'node:stream';
import type { Feeds } from './event-feed.ts';
import type { LoggedEvent } from './event-log.ts';
import type { StreamGrant } from './stream-grant.ts';

/** How soon a browser comes back, milliseconds. */
const RETRY = 'retry: 2000\n\n';
/** What is on its way when a stream ends gets this long; a reader that takes nothing would hold the connection. */
const PARTING_MS = 1000;

/** One event in the form of the HTML standard's server-sent events; JSON holds no line break, so one `data:` line does. */
const sseFrame = ({ id, type, created_at, data }: LoggedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, created_at, data })}\n\n`;

/** Resolves when the reader has caught up, or has left. */
function drained(stream: PassThrough): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off('drain', settle).off('close', settle);
      resolve(!stream.destroyed);
    };
    stream.once('drain', settle).once('close', settle);
  });
}

/** The events that a grant admits to, as a stream that ends with its reader. */
export function openEventStream(feeds: Feeds, grant: StreamGrant): Readable {
  const stream = new PassThrough({ highWaterMark: 65_536 });
  stream.write(RETRY);
  const stop = feeds.follow(grant.start, {
    deliver: async (events) => {
      if (stream.destroyed) return false;
      return stream.write(events.map(sseFrame).join('')) || drained(stream);
    },
    // A comment line: keeps proxies from closing a quiet stream.
    heartbeat: () => void stream.write(':\n\n'),
    stillAllowed: grant.stillAllowed,
    end: (why) => {
      if (why === 'stalled') {
        stream.destroy();
        return;
      }
      stream.end();
      setTimeout(() => stream.destroy(), PARTING_MS).unref();
    },
  });
  stream.once('close', () => {
    stop();
    grant.release();
  });
  return stream;
}
