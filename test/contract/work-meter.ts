import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Server } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { GroupCommit } from '../../src/db/group-commit.ts';
import { Appends } from '../../src/db/logs/appends.ts';
import { JobWorker } from '../../src/jobs/worker.ts';

/** What the service asked of SQLite between a request and the end of its reply. */
export interface Work {
  /** Statements, without those that begin and end transactions, and those of logs, which transactions share. */
  statements: number;
  /** How often it waited for them: statements that are given together, without waiting for the first, share one. */
  waits: number;
  /** Rows inserted, changed or deleted. */
  written: number;
}

/** When a transaction begins and ends, and when reads share one, depends on what else runs. */
const CONTROL = /^(?:BEGIN|COMMIT|SAVEPOINT|RELEASE|PRAGMA)/;

const requests = new AsyncLocalStorage<Work>();
let current: Work | undefined;

/** Requests that have asked in this step of the event loop. */
const asking = new WeakSet<Work>();

/** Replaces a method for as long as this process runs. `wrap` gets the one before. */
function replace<T extends object, K extends keyof T>(target: T, name: K, wrap: (before: T[K]) => T[K]): void {
  target[name] = wrap(target[name]);
}

let isInstalled = false;

/**
 * Counts where every statement passes: at the drivers. What a job does that a request woke is not the request's work, nor
 * is what a timer does later.
 */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  replace(
    Server.prototype,
    'emit',
    (emit) =>
      function (this: Server, event: string, ...rest: unknown[]) {
        const pass = () => Reflect.apply(emit, this, [event, ...rest]) as boolean;
        return event === 'request' && current ? requests.run(current, pass) : pass();
      } as typeof emit,
  );
  replace(
    JobWorker.prototype,
    'wake',
    (wake) =>
      function (this: JobWorker) {
        requests.exit(() => Reflect.apply(wake, this, []));
      },
  );
  // The members of a batch run where the first of them began it: each keeps its own request.
  replace(
    GroupCommit.prototype,
    'submit',
    (submit) =>
      function (this: GroupCommit, work: () => Promise<unknown>, committed: () => void) {
        return Reflect.apply(submit, this, [AsyncResource.bind(work), AsyncResource.bind(committed)]);
      } as typeof submit,
  );
  // A row of a log is the request's, but the statements that write it serve all that share the commit.
  replace(
    Appends.prototype,
    'append',
    (append) =>
      function (this: Appends, ...asked: Parameters<Appends['append']>) {
        const work = requests.getStore();
        if (work) work.written += 1;
        return requests.exit(() => Reflect.apply(append, this, asked));
      } as typeof append,
  );
  replace(
    Appends.prototype,
    'flush',
    (flush) =>
      function (this: Appends) {
        return requests.exit(() => Reflect.apply(flush, this, []));
      } as typeof flush,
  );
  for (const name of ['all', 'get', 'run'] as const) {
    replace(
      StatementSync.prototype,
      name,
      (run) =>
        function (this: StatementSync, ...values: unknown[]) {
          const outcome = Reflect.apply(run, this, values) as { changes?: number | bigint };
          const work = requests.getStore();
          if (work && !CONTROL.test(this.sourceSQL)) {
            work.statements += 1;
            if (!asking.has(work)) {
              work.waits += 1;
              asking.add(work);
              queueMicrotask(() => asking.delete(work));
            }
            if (name === 'run') work.written += Number(outcome.changes);
          }
          return outcome;
        } as never,
    );
  }
}

/** Runs one request and counts its work. Requests at the same time must not be measured. */
export async function measured<T>(request: () => Promise<T>): Promise<{ reply: T; work: Work }> {
  install();
  const work: Work = { statements: 0, waits: 0, written: 0 };
  current = work;
  try {
    const reply = await request();
    return { reply, work: { ...work } };
  } finally {
    current = undefined;
  }
}
