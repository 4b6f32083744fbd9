import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { postgresLibrary } from './postgres-library.ts';
import { Signals } from './signals.ts';

const CHANNEL = 'signet';
const RECONNECT_MS = 1000;
/** How long signals are gathered before they are sent together. */
const GATHER_MS = 2;

export interface PostgresListenerOptions {
  url: string;
  /** Names this instance, so that it does not answer its own notifications. */
  instance: string;
  /** Sends the notifications. */
  pool: pg.Pool;
  onError: (err: Error) => void;
}

/**
 * Wake-ups across instances by LISTEN/NOTIFY. Notifications are sent outside transactions and gathered for a moment:
 * NOTIFY inside one takes a lock that serializes all commits of the database, and a wake-up may come late but not wrong.
 */
export class PostgresListener {
  readonly #options: PostgresListenerOptions;
  readonly #signals = new Signals();
  readonly #outgoing = new Set<string>();
  readonly #connecting: Promise<void>;
  #flushing: Promise<void> | null = null;
  #client: pg.Client | null = null;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  /** Connects at once, and again whenever the connection is lost. */
  constructor(options: PostgresListenerOptions) {
    this.#options = options;
    this.#connecting = this.#connect();
  }

  signal(topic: string): void {
    this.#signals.emit(topic);
    this.#outgoing.add(topic);
    this.#flushing ??= this.#flush();
  }

  /** @returns what stops it */
  on(topic: string, listener: () => void): () => void {
    return this.#signals.on(topic, listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#connecting;
    await this.#flushing;
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { url, instance, onError } = this.#options;
    const next = new (postgresLibrary().Client)({ connectionString: url, application_name: 'signet-listen' });
    next.on('error', onError);
    next.on('end', () => {
      this.#client = null;
      if (!this.#isClosed) this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
      this.#retry?.unref();
    });
    next.on('notification', ({ payload = '' }) => {
      const [from, topic = ''] = payload.split(' ', 2);
      if (from !== instance) this.#signals.emit(topic);
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      this.#client = next;
      // Notifications sent before LISTEN are lost; wake every listener once.
      this.#signals.emitAll();
    } catch (err) {
      onError(err as Error);
      await next.end().catch(() => {});
    }
    if (this.#isClosed) await next.end().catch(() => {});
  }

  async #flush(): Promise<void> {
    const { instance, pool, onError } = this.#options;
    await sleep(GATHER_MS);
    while (this.#outgoing.size > 0) {
      const topics = [...this.#outgoing].map((topic) => `${instance} ${topic}`);
      this.#outgoing.clear();
      await pool
        .query(`SELECT pg_notify('${CHANNEL}', topic) FROM unnest($1::text[]) AS topic`, [topics])
        .catch((err: Error) => onError(err));
    }
    this.#flushing = null;
  }
}
