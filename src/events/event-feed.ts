import type { Database } from '../api/transaction.ts';
import { within } from '../base/deadline.ts';
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
  /** Called last. */
  end(why: StreamEnd): void;
}

/** What a feed follows: the account's events behind a number, all or of some types, or about some addresses. */
export interface FeedStart {
  accountId: string;
  afterSeq: number;
  types: EventTypes;
  /** Null: every event. */
  addresses: readonly string[] | null;
  /** An event as the reader may see it. */
  shown(event: LoggedEvent): LoggedEvent;
}

export interface FeedOptions {
  /** Called when the log could not be read; the feed continues at the next wake-up. */
  onFault(err: unknown): void;
  /** How long a reader may leave its buffers full, milliseconds. */
  stalledMs?: number;
}

const PAGE = 100;
/** A notification between instances can be lost, but an event must not be: every feed polls this often. */
const POLL_MS = 5000;
const HEARTBEAT_MS = 30_000;
const STALLED_MS = 10_000;

/** The open feeds of this instance. Its timers run while there is one. */
export class Feeds {
  readonly #database: Database;
  readonly #options: FeedOptions;
  readonly #open = new Set<Feed>();
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(database: Database, options: FeedOptions) {
    this.#database = database;
    this.#options = options;
  }

  /**
   * Follows the log of one account: every event once, in order. Signals are only hints; the number of the last delivered
   * event decides what comes next. @returns what stops it
   */
  follow(start: FeedStart, sink: EventSink): () => void {
    if (this.#isClosed) {
      sink.end('stopping');
      return () => {};
    }
    const feed = new Feed(this.#database, this.#options, start, sink, () => this.#forget(feed));
    this.#open.add(feed);
    if (this.#timers.length === 0) this.#startTimers();
    feed.wake(false);
    return () => feed.stop();
  }

  /** Open feeds, for the metrics. */
  readonly size = (): number => this.#open.size;

  close(): void {
    this.#isClosed = true;
    for (const feed of this.#open) feed.end('stopping');
  }

  #startTimers(): void {
    const poll = (): void => {
      for (const feed of this.#open) feed.wake(false);
    };
    const beat = (): void => {
      for (const feed of this.#open) feed.beat();
    };
    this.#timers = [setInterval(poll, POLL_MS).unref(), setInterval(beat, HEARTBEAT_MS).unref()];
  }

  #forget(feed: Feed): void {
    this.#open.delete(feed);
    if (this.#open.size > 0) return;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }
}

/** One reader of one account's log. */
class Feed {
  readonly #database: Database;
  readonly #options: FeedOptions;
  readonly #start: FeedStart;
  readonly #sink: EventSink;
  readonly #onStop: () => void;
  readonly #unsubscribe: () => void;
  #seq: number;
  #isStopped = false;
  #isReading = false;
  #isStale = false;
  #mustCheck = false;

  constructor(database: Database, options: FeedOptions, start: FeedStart, sink: EventSink, onStop: () => void) {
    this.#database = database;
    this.#options = options;
    this.#start = start;
    this.#sink = sink;
    this.#onStop = onStop;
    this.#seq = start.afterSeq;
    // The end of a credential is signalled here too (eventsTopic), so that its streams end at once.
    this.#unsubscribe = database.onSignal(eventsTopic(start.accountId), () => this.wake(true));
  }

  /** Reads what is new. @param recheck whether the credential is checked although nothing is new */
  wake(recheck: boolean): void {
    this.#isStale = true;
    this.#mustCheck ||= recheck;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#read();
  }

  beat(): void {
    this.#sink.heartbeat();
    this.wake(true);
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#unsubscribe();
    this.#onStop();
  }

  end(why: StreamEnd): void {
    this.stop();
    this.#sink.end(why);
  }

  async #read(): Promise<void> {
    while (this.#isStale && !this.#isStopped) await this.#readPage().catch(this.#options.onFault);
    // In the same moment: a signal after the last look would find a feed that reads, and wait for the next poll.
    this.#isReading = false;
  }

  async #readPage(): Promise<void> {
    const isChecking = this.#mustCheck;
    this.#isStale = false;
    this.#mustCheck = false;
    const { accountId, types, addresses } = this.#start;
    const events = await readEvents(this.#database, { accountId, types, addresses, limit: PAGE }, this.#seq);
    const last = events.at(-1);
    if (!isChecking && last === undefined) return;
    // Checked after the events were read: an event that follows a revocation is not delivered.
    if (!(await this.#sink.stillAllowed())) return this.end('revoked');
    if (last === undefined || this.#isStopped) return;
    this.#seq = last.seq;
    const { stalledMs = STALLED_MS } = this.#options;
    const taken = await within(stalledMs, this.#sink.deliver(events.map(this.#start.shown)), () => 'stalled' as const);
    if (taken === 'stalled') return this.end('stalled');
    if (!taken) return this.stop();
    this.#isStale ||= events.length === PAGE;
  }
}
