import { Readable } from 'node:stream';
import type { EventSink, Feeds, StreamEnd } from './event-feed.ts';
import { eventId, type LoggedEvent } from './event-log.ts';
import type { StreamGrant } from './stream-grant.ts';

/** How soon a browser reconnects, milliseconds. */
const RETRY_MS = 2000;
/** How long a reader may take the last events of a stream that ends; one that takes nothing would hold the connection. */
const CLOSING_MS = 1000;
const BUFFER_BYTES = 65_536;

/** One event in the form of the HTML standard's server-sent events; JSON holds no line break, so one `data:` line does. */
const sseFrame = ({ id, type, created_at, data }: LoggedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, type, created_at, data })}\n\n`;

/** The sink of a feed, as bytes for one HTTP reply. */
class EventStream extends Readable implements EventSink {
  readonly stillAllowed: () => Promise<boolean>;
  #onDrain: (() => void) | undefined;

  constructor({ stillAllowed }: StreamGrant) {
    super({ highWaterMark: BUFFER_BYTES });
    this.stillAllowed = stillAllowed;
  }

  async deliver(events: readonly LoggedEvent[]): Promise<boolean> {
    if (this.destroyed) return false;
    return this.push(events.map(sseFrame).join('')) || this.#drained();
  }

  /** A comment line: keeps proxies from closing a quiet stream. */
  heartbeat(): void {
    this.push(':\n\n');
  }

  end(why: StreamEnd): void {
    if (why === 'stalled') {
      this.destroy();
      return;
    }
    this.push(null);
    setTimeout(() => this.destroy(), CLOSING_MS).unref();
  }

  override _read(): void {
    this.#onDrain?.();
  }

  override _destroy(err: Error | null, callback: (err?: Error | null) => void): void {
    this.#onDrain?.();
    callback(err);
  }

  /** Resolves when the reader has caught up, or with `false` when it has left. */
  #drained(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#onDrain = () => {
        this.#onDrain = undefined;
        resolve(!this.destroyed);
      };
    });
  }
}

/**
 * Streams the events that a grant allows. The stream ends with its reader. Without an id of the reader the stream
 * begins with the id where it starts: a reader that loses the connection before the first event can then resume.
 */
export function openEventStream(feeds: Feeds, grant: StreamGrant, hasId: boolean): Readable {
  const stream = new EventStream(grant);
  const { accountId, afterSeq } = grant.start;
  stream.push(`${hasId ? '' : `id: ${eventId(accountId, afterSeq)}\n`}retry: ${RETRY_MS}\n\n`);
  const stop = feeds.follow(grant.start, stream);
  stream.once('close', () => {
    stop();
    grant.release();
  });
  return stream;
}
