import pg from 'pg';
import { createSignals } from './signals.ts';

const CHANNEL = 'signet';
const RECONNECT_MS = 1000;

export interface PostgresListener {
  signal(topic: string): void;
  on(topic: string, listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Wake-ups across instances by LISTEN/NOTIFY. Notifications are sent outside transactions and gathered for a moment:
 * NOTIFY inside one takes a lock that lines all commits of the database up, and a wake-up may come late but not wrong.
 */
export function createListener(
  url: string,
  instance: string,
  pool: pg.Pool,
  onError: (err: Error) => void,
): PostgresListener {
  const signals = createSignals();
  const outgoing = new Set<string>();
  let flushing: Promise<void> | null = null;
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'signet-listen' });
    next.on('error', onError);
    next.on('end', () => {
      client = null;
      if (!closed) retry = setTimeout(() => void connect(), RECONNECT_MS);
      retry?.unref();
    });
    next.on('notification', ({ payload = '' }) => {
      const [from, topic = ''] = payload.split(' ', 2);
      if (from !== instance) signals.emit(topic);
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      client = next;
      // Whatever was said while nobody listened is lost; wake everyone once.
      signals.emitAll();
    } catch (err) {
      onError(err as Error);
      await next.end().catch(() => {});
    }
    if (closed) await next.end().catch(() => {});
  }
  const connecting = connect();

  async function flush(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    while (outgoing.size > 0) {
      const topics = [...outgoing].map((topic) => `${instance} ${topic}`);
      outgoing.clear();
      await pool
        .query(`SELECT pg_notify('${CHANNEL}', topic) FROM unnest($1::text[]) AS topic`, [topics])
        .catch((err: Error) => onError(err));
    }
    flushing = null;
  }

  return {
    signal: (topic) => {
      signals.emit(topic);
      outgoing.add(topic);
      flushing ??= flush();
    },
    on: signals.on,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await connecting;
      await flushing;
      await client?.end().catch(() => {});
    },
  };
}
