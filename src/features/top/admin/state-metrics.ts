import { statfs } from 'node:fs/promises';
import type { Database } from '../../../api/transaction.ts';
import { queueDepths } from '../../../jobs/queue.ts';
import { unparsedMail } from '../../mail/mailboxes/content/mail-content.ts';
import { databaseBytes } from './operator-store.ts';

interface FigureDeps {
  database: Database;
  dataDir: string;
  /** The part of the metrics that is used here. */
  metrics: {
    gauge(name: string, help: string, read: () => Promise<number>, across: 'max'): void;
    gaugeBy(label: string, name: string, help: string, read: () => Promise<Record<string, number>>): void;
  };
  now(): number;
}

/** Anyone who reaches `/metrics` may ask; the database is asked once in so long. */
const FRESH_MS = 5000;

type Queues = Awaited<ReturnType<typeof queueDepths>>;

interface State {
  queues: Queues;
  unparsed: number;
  oldestUnparsedMs: number;
  databaseBytes: number;
}

async function readState({ database, now }: FigureDeps): Promise<State> {
  const [queues, unparsed, bytes] = await Promise.all([
    queueDepths(database, now()),
    unparsedMail(database),
    databaseBytes(database),
  ]);
  const { count, oldest } = unparsed;
  return {
    queues,
    unparsed: count,
    oldestUnparsedMs: oldest === null ? 0 : Math.max(0, now() - oldest),
    databaseBytes: bytes,
  };
}

/** Adds gauges of queues, lags and storage to `/metrics`. While the database does not answer, they have no value. */
export function measureState(deps: FigureDeps): void {
  const { metrics, dataDir, now } = deps;
  let latest: { at: number; state: Promise<State | null> } | null = null;
  const state = (): Promise<State | null> => {
    if (latest === null || Math.abs(now() - latest.at) >= FRESH_MS)
      latest = { at: now(), state: readState(deps).catch(() => null) };
    return latest.state;
  };
  const gauge = (name: string, help: string, pick: (state: State) => number): void =>
    metrics.gauge(
      name,
      help,
      async () => {
        const known = await state();
        return known === null ? Number.NaN : pick(known);
      },
      'max',
    );
  const byLane = (name: string, help: string, pick: (queue: Queues[number]) => number): void =>
    metrics.gaugeBy('lane', name, help, async () =>
      Object.fromEntries((await state())?.queues.map((queue) => [queue.lane, pick(queue)]) ?? []),
    );
  metrics.gauge('signet_database_up', '1 while the database answers.', async () => ((await state()) ? 1 : 0), 'max');
  gauge('signet_database_bytes', 'Size of the database.', (known) => known.databaseBytes);
  gauge('signet_mail_unparsed', 'Accepted mails that are not in their inbox yet.', (known) => known.unparsed);
  gauge('signet_mail_unparsed_oldest_seconds', 'Age of the oldest of them.', (known) => known.oldestUnparsedMs / 1000);
  byLane('signet_jobs_waiting', 'Jobs in the queue, due or later.', ({ waiting }) => waiting);
  byLane('signet_jobs_due', 'Jobs that are due.', ({ due }) => due);
  byLane('signet_jobs_failing', 'Jobs whose last attempt failed.', ({ failing }) => failing);
  byLane(
    'signet_jobs_oldest_due_seconds',
    'How long the oldest job has been due.',
    ({ oldest_due_seconds: seconds }) => seconds,
  );
  const free = async (): Promise<number> => {
    const disk = await statfs(dataDir).catch(() => null);
    return disk === null ? Number.NaN : disk.bavail * disk.bsize;
  };
  metrics.gauge('signet_disk_free_bytes', 'Free space of the data folder.', free, 'max');
}
