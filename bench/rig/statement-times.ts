import { StatementSync } from 'node:sqlite';
import pg from 'pg';

/** The shortest time of each statement that this process gives to a database while it is noted, in milliseconds. */
export type StatementTimes = Map<string, number>;

const CONTROL = /^(?:begin|commit|rollback|savepoint|release|pragma|explain)/i;

let noted: StatementTimes | null = null;

function note(text: string, began: number): void {
  if (noted === null || CONTROL.test(text)) return;
  noted.set(text, Math.min(noted.get(text) ?? Number.POSITIVE_INFINITY, performance.now() - began));
}

/** Wraps both drivers for the rest of the process. */
function install(): void {
  for (const name of ['all', 'get', 'run'] as const) {
    const run = StatementSync.prototype[name];
    StatementSync.prototype[name] = function (this: StatementSync, ...values: unknown[]) {
      const began = performance.now();
      const outcome = Reflect.apply(run, this, values);
      note(this.sourceSQL, began);
      return outcome;
    } as never;
  }
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text: string }];
    const text = typeof first === 'string' ? first : first.text;
    const began = performance.now();
    // A pool gives a callback, a transaction waits for a promise.
    const last = given.at(-1);
    if (typeof last === 'function') {
      given[given.length - 1] = (...outcome: unknown[]) => {
        note(text, began);
        Reflect.apply(last, null, outcome);
      };
      return Reflect.apply(query, this, given);
    }
    const outcome = Reflect.apply(query, this, given) as Promise<unknown>;
    return outcome.finally(() => note(text, began));
  } as never;
}

let isInstalled = false;

/** Runs `work` and notes what it asks of a database. Nothing else may ask at the same time. */
export async function noteStatements(into: StatementTimes, work: () => Promise<void>): Promise<void> {
  if (!isInstalled) install();
  isInstalled = true;
  noted = into;
  try {
    await work();
  } finally {
    noted = null;
  }
}
