import type { Database } from '../kernel/transaction.ts';
import { eventsTopic, type LoggedEvent, readEvents } from './event-log.ts';

/** Where the events of a feed go: a WebSocket or an SSE stream. */
export interface EventSink {
  /**
   * Takes the next events, in order. The feed waits for it, so a slow reader is read for slowly; `false`: the reader
   * could not keep up and the feed ends.
   */
  deliver(events: readonly LoggedEvent[]): Promise<boolean>;
  /** Every half minute: proves the connection, and that its credential still holds. */
  heartbeat(): void;
  /** The service stops. */
  end(): void;
}

export interface Feeds {
  /**
   * Follows the log of one account behind a number: every event once, in order. Signals are only hints; the number of
   * the last delivered event decides what comes next. @returns what stops it
   */
  follow(accountId: string, afterSeq: number, sink: EventSink): () => void;
  /** Open feeds, for the metrics. */
  size(): number;
  close(): void;
}

interface Feed {
  wake(): void;
  sink: EventSink;
}

const PAGE = 100;
/** A notification between instances may be lost, an event may not: everyone looks this often. */
const POLL_MS = 5000;
const HEARTBEAT_MS = 30_000;

/** @param onFault told when the log could not be read; the feed goes on with the next wake-up */
export function createFeeds(database: Database, onFault: (err: unknown) => void): Feeds {
  const open = new Set<Feed>();
  let closed = false;
  const poll = setInterval(() => {
    for (const feed of open) feed.wake();
  }, POLL_MS).unref();
  const beat = setInterval(() => {
    for (const { sink } of open) sink.heartbeat();
  }, HEARTBEAT_MS).unref();

  function follow(accountId: string, afterSeq: number, sink: EventSink): () => void {
    if (closed) {
      sink.end();
      return () => {};
    }
    let seq = afterSeq;
    let isReading = false;
    let isStale = false;

    async function read(): Promise<void> {
      while (isStale && open.has(feed)) {
        isStale = false;
        const events = await readEvents(database, accountId, seq, PAGE);
        const last = events.at(-1);
        if (last === undefined || !open.has(feed)) continue;
        seq = last.seq;
        if (!(await sink.deliver(events))) stop();
        else if (events.length === PAGE) isStale = true;
      }
    }

    function wake(): void {
      isStale = true;
      if (isReading) return;
      isReading = true;
      void read()
        .catch(onFault)
        .finally(() => {
          isReading = false;
        });
    }

    const feed: Feed = { wake, sink };
    const unsubscribe = database.onSignal(eventsTopic(accountId), wake);
    const stop = (): void => {
      unsubscribe();
      open.delete(feed);
    };
    open.add(feed);
    wake();
    return stop;
  }

  return {
    follow,
    size: () => open.size,
    close: () => {
      closed = true;
      clearInterval(poll);
      clearInterval(beat);
      for (const { sink } of open) sink.end();
      open.clear();
    },
  };
}
