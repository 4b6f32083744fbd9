import type { Database } from '../kernel/transaction.ts';
import { type EventTypes, eventsTopic, type LoggedEvent, readEvents } from './event-log.ts';

/** Why the service ends a stream. */
export type StreamEnd = 'stopping' | 'revoked' | 'stalled';

/** Where the events of a feed go: a WebSocket or an SSE stream. */
export interface EventSink {
  /**
   * Takes the next events, in order. The feed waits for it, so a slow reader is read for slowly; `false`: the reader
   * has left and the feed ends.
   */
  deliver(events: readonly LoggedEvent[]): Promise<boolean>;
  /** Every half minute: proves the connection. */
  heartbeat(): void;
  /** Whether the credential still opens the account: asked before anything is delivered, and with every heartbeat. */
  stillAllowed(): Promise<boolean>;
  /** The last call. */
  end(why: StreamEnd): void;
}

/** What a feed follows: the account's events behind a number, all or of some types. */
export interface FeedStart {
  accountId: string;
  afterSeq: number;
  types: EventTypes;
}

export interface Feeds {
  /**
   * Follows the log of one account: every event once, in order. Signals are only hints; the number of the last delivered
   * event decides what comes next. @returns what stops it
   */
  follow(start: FeedStart, sink: EventSink): () => void;
  /** Open feeds, for the metrics. */
  size(): number;
  close(): void;
}

interface Feed {
  /** @param recheck whether the credential is asked after even when nothing is new */
  wake(recheck: boolean): void;
  sink: EventSink;
}

export interface FeedOptions {
  /** Told when the log could not be read; the feed goes on with the next wake-up. */
  onFault(err: unknown): void;
  /** How long a reader may leave its buffers full, milliseconds. */
  stalledMs?: number;
}

const PAGE = 100;
/** A notification between instances may be lost, an event may not: everyone looks this often. */
const POLL_MS = 5000;
const HEARTBEAT_MS = 30_000;
const STALLED_MS = 10_000;

/** What `delivered` says, or `stalled` when it has not said it in time. */
async function inTime(delivered: Promise<boolean>, ms: number): Promise<boolean | 'stalled'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'stalled'>((resolve) => {
    timer = setTimeout(resolve, ms, 'stalled');
  });
  return Promise.race([delivered, late]).finally(() => clearTimeout(timer));
}

export function createFeeds(database: Database, { onFault, stalledMs = STALLED_MS }: FeedOptions): Feeds {
  const open = new Set<Feed>();
  let closed = false;
  const poll = setInterval(() => {
    for (const feed of open) feed.wake(false);
  }, POLL_MS).unref();
  const beat = setInterval(() => {
    for (const feed of open) {
      feed.sink.heartbeat();
      feed.wake(true);
    }
  }, HEARTBEAT_MS).unref();

  function follow({ accountId, afterSeq, types }: FeedStart, sink: EventSink): () => void {
    if (closed) {
      sink.end('stopping');
      return () => {};
    }
    let seq = afterSeq;
    let isReading = false;
    let isStale = false;
    let mustCheck = false;

    async function readPage(): Promise<void> {
      const isChecking = mustCheck;
      isStale = false;
      mustCheck = false;
      const events = await readEvents(database, { accountId, types, limit: PAGE }, seq);
      const last = events.at(-1);
      if (!isChecking && last === undefined) return;
      // Looked at after the events were read: what a revocation came before is not delivered.
      if (!(await sink.stillAllowed())) return end('revoked');
      if (last === undefined || !open.has(feed)) return;
      seq = last.seq;
      const taken = await inTime(sink.deliver(events), stalledMs);
      if (taken === 'stalled') return end('stalled');
      if (!taken) return stop();
      isStale ||= events.length === PAGE;
    }

    async function read(): Promise<void> {
      while (isStale && open.has(feed)) await readPage();
    }

    function wake(recheck: boolean): void {
      isStale = true;
      mustCheck ||= recheck;
      if (isReading) return;
      isReading = true;
      void read()
        .catch(onFault)
        .finally(() => {
          isReading = false;
        });
    }

    const feed: Feed = { wake, sink };
    // Whoever ends a credential says it here too (eventsTopic), so that its streams end at once.
    const unsubscribe = database.onSignal(eventsTopic(accountId), () => wake(true));
    const stop = (): void => {
      unsubscribe();
      open.delete(feed);
    };
    const end = (why: StreamEnd): void => {
      stop();
      sink.end(why);
    };
    open.add(feed);
    wake(false);
    return stop;
  }

  return {
    follow,
    size: () => open.size,
    close: () => {
      closed = true;
      clearInterval(poll);
      clearInterval(beat);
      for (const { sink } of open) sink.end('stopping');
      open.clear();
    },
  };
}
