import type { Intake } from './features/email/intake-rules.ts';
import { purgeIdempotency } from './features/idempotency/idempotency-rules.ts';
import type { RequestMeter } from './features/limits/meter-rules.ts';
import { purgeLimits } from './features/limits/quota-rules.ts';
import { purgeLogins } from './features/login/login-rules.ts';
import { DAY_MS } from './kernel/period.ts';
import type { Database } from './kernel/transaction.ts';
import { purgeEvents } from './push/event-log.ts';

export interface MaintenanceDeps {
  database: Database;
  meter: RequestMeter;
  intake: Intake;
  now(): number;
  onFault(err: unknown): void;
}

const FLUSH_MS = 1000;
const RECOVER_MS = 30_000;
const PURGE_MS = 600_000;
/** Events are kept this long (decisions.md, Push). */
const EVENT_DAYS = 30;

/** Forgets what has expired: links, sessions, kept replies, rate windows, old counters and old events. */
export async function purgeExpired(database: Database, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    await purgeIdempotency(tx, now);
    await purgeLogins(tx, now);
    await purgeLimits(tx, now);
    await purgeEvents(tx, now - EVENT_DAYS * DAY_MS);
  });
}

/** Work that comes round by itself. `stop` ends it with a last flush of the meters. */
export function startMaintenance(deps: MaintenanceDeps): { stop(): Promise<void> } {
  const { database, meter, intake, now, onFault } = deps;
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => void work().catch(onFault), ms).unref();
  const timers = [
    every(FLUSH_MS, () => meter.flush()),
    every(RECOVER_MS, () => intake.recover(false)),
    every(PURGE_MS, () => purgeExpired(database, now())),
  ];
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await meter.flush();
    },
  };
}
