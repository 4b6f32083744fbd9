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

/** The same in a stream of several accounts. It has no id: no single one says how far a reader came. */
const sseFrameOf = (accountId: string, { id, type, created_at, data }: LoggedEvent): string =>
  `event: ${type}\ndata: ${JSON.stringify({ account_id: accountId, id, type, created_at, data })}\n\n`;

/** The bytes of one HTTP reply. */
class EventStream extends Readable {
  /** Feeds that wait for the reader. */
  #waiting: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: BUFFER_BYTES });
  }

  /** @returns false when the reader has left */
  async write(frames: string): Promise<boolean> {
    if (this.destroyed) return false;
    return this.push(frames) || this.#drained();
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
    for (const go of this.#waiting.splice(0)) go();
  }

  override _destroy(err: Error | null, callback: (err?: Error | null) => void): void {
    for (const go of this.#waiting.splice(0)) go();
    callback(err);
  }

  /** Resolves when the reader has caught up, or with `false` when it has left. */
  #drained(): Promise<boolean> {
    return new Promise((resolve) => this.#waiting.push(() => resolve(!this.destroyed)));
  }
}

/** What a feed writes to. @param over called when the feed ends, instead of ending the stream */
function sinkOf(
  stream: EventStream,
  { stillAllowed }: Pick<StreamGrant, 'stillAllowed'>,
  frameOf: (event: LoggedEvent) => string,
  over: (why: StreamEnd) => void,
): EventSink {
  return {
    stillAllowed,
    deliver: (events) => stream.write(events.map(frameOf).join('')),
    heartbeat: () => stream.heartbeat(),
    end: over,
  };
}

/**
 * Streams the events that a grant allows. The stream ends with its reader. Without an id of the reader the stream
 * begins with the id where it starts: a reader that loses the connection before the first event can then resume.
 */
export function openEventStream(feeds: Feeds, grant: StreamGrant, hasId: boolean): Readable {
  const stream = new EventStream();
  const { accountId, afterSeq } = grant.start;
  stream.push(`${hasId ? '' : `id: ${eventId(accountId, afterSeq)}\n`}retry: ${RETRY_MS}\n\n`);
  const stop = feeds.follow(
    grant.start,
    sinkOf(stream, grant, sseFrame, (why) => stream.end(why)),
  );
  stream.once('close', () => {
    stop();
    grant.release();
  });
  return stream;
}

/**
 * Streams the events of several accounts. An account that the reader may no longer read leaves the stream, and the last
 * one ends it. It cannot be resumed: its reader reads again what it shows.
 * @param release called once the connection is gone
 */
export function openMergedStream(
  feeds: Feeds,
  grants: readonly Omit<StreamGrant, 'release'>[],
  release: () => void,
): Readable {
  const stream = new EventStream();
  stream.push(`retry: ${RETRY_MS}\n\n`);
  let left = grants.length;
  const stops = grants.map((grant) => {
    const { accountId } = grant.start;
    const over = (why: StreamEnd): void => {
      left -= 1;
      if (why !== 'revoked' || left === 0) stream.end(why);
    };
    return feeds.follow(
      grant.start,
      sinkOf(stream, grant, (event) => sseFrameOf(accountId, event), over),
    );
  });
  stream.once('close', () => {
    for (const stop of stops) stop();
    release();
  });
  return stream;
}
