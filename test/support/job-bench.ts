import { after, before, beforeEach, describe } from 'node:test';
import type { JobAttempt, JobOutcome } from '../../src/api/job-types.ts';
import type { Database } from '../../src/api/transaction.ts';
import { type Config, readConfig } from '../../src/config/service-config.ts';
import { migrate, openDatabase } from '../../src/db/open.ts';
import { enqueueJob } from '../../src/jobs/queue.ts';
import { type JobHandlers, JobWorker } from '../../src/jobs/worker.ts';
import { type Engine, freshDatabase, runSql } from './harness.ts';

export const NOON = Date.UTC(2026, 0, 14, 12);

export type Login = JobAttempt<'mail.login'>;

/** A queue that a test drives: its clock, its workers, its rows. */
export interface Bench {
  readonly database: Database;
  now: number;
  faults: string[];
  /** A worker whose only kind of job is handled by `handle`; it runs when asked, and is stopped at the end. */
  worker(handle: (job: Login) => Promise<JobOutcome>, on?: Database): JobWorker;
  add(email: string, runAt?: number): Promise<void>;
  rows(): Promise<Record<string, unknown>[]>;
}

export function onBothEngines(name: string, declare: (bench: Bench) => void): void {
  for (const engine of ['sqlite', 'postgres'] as Engine[]) {
    describe(`${name} [${engine}]`, () => {
      let config: Config;
      let database: Database;
      let drop: () => Promise<void>;
      const bench: Bench = {
        get database() {
          return database;
        },
        now: NOON,
        faults: [],
        worker: (handle, on = database) =>
          new JobWorker({
            database: on,
            instanceId: 'ins_test',
            now: () => bench.now,
            handlers: { 'mail.login': handle, 'draft.send': handle as unknown } as JobHandlers,
            onFault: (err) => void bench.faults.push(String(err)),
          }),
        add: (email, runAt = bench.now) =>
          database.transaction((tx) => enqueueJob(tx, { kind: 'mail.login', payload: { email }, runAt })),
        rows: () => runSql(config, 'select * from jobs order by id', []),
      };
      before(async () => {
        const fresh = await freshDatabase(engine);
        drop = fresh.drop;
        config = readConfig(fresh.env);
        await migrate(config);
        database = openDatabase(config);
      });
      beforeEach(async () => {
        bench.now = NOON;
        bench.faults.length = 0;
        await runSql(config, 'delete from jobs', []);
      });
      after(async () => {
        await database.close();
        await drop();
      });
      declare(bench);
    });
  }
}
