import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiError } from '../api/errors.ts';
import { changeOf, type Database, pipeline, type Tx } from '../api/transaction.ts';
import { GroupCommit } from './group-commit.ts';
import { lateRows } from './logs/late-rows.ts';
import { openSqlite } from './sqlite.ts';
import { tables } from './statement.ts';

/** A commit without appends to a log. */
const appends = { clear: () => {}, beginMember: () => {}, undoMember: () => {}, flush: async () => {} };

const SCHEMA = `
  create table notes (id text primary key, parent text references notes (id) deferrable initially deferred) strict;
  create table totals (id integer primary key, sum integer not null) strict;
  insert into totals values (1, 0)`;

const sql = tables<{ notes: { id: string; parent: string | null }; totals: { id: number; sum: number } }>();
const insert = sql((q, p: { id: string; parent: string | null }) =>
  q.insertInto('notes').values({ id: p.id, parent: p.parent }),
);
const all = sql((q, _p: Record<never, never>) => q.selectFrom('notes').select('id').orderBy('id'));
const readSum = sql((q, p: { id: number }) => q.selectFrom('totals').select('sum').where('id', '=', p.id));
const writeSum = sql((q, p: { id: number; sum: number }) =>
  q.updateTable('totals').set({ sum: p.sum }).where('id', '=', p.id),
);

const addLate = lateRows<string>(['notes'], (_engine, ids) => ids.map((id) => changeOf(insert, { id, parent: null })));
const add = (tx: Tx, id: string, parent: string | null = null) => tx.run(insert, { id, parent });
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
/** A few turns of the event loop: long enough to notice an outcome that is reported too early. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
};
const isStorageFailure = (err: unknown): boolean => err instanceof ApiError && err.code === 'storage_unavailable';

let dir: string;
let path: string;
let database: Database;
/** Another connection: it sees what is committed, and nothing else. */
let outside: DatabaseSync;

const committed = (): unknown[] => {
  const rows = outside.prepare('select id from notes order by id').all();
  return rows.map(({ id }) => id);
};
describe('the shared commits of SQLite', () => {
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'signet-group-'));
    path = join(dir, 'group.db');
    outside = new DatabaseSync(path);
    outside.exec(SCHEMA);
    database = openSqlite(path);
  });

  afterEach(async () => {
    await database.close();
    outside.close();
    rmSync(dir, { recursive: true, force: true });
  });

  describe('transactions that share a commit', () => {
    it('one that throws leaves no trace and gets its own error; the others commit', async () => {
      const refusal = new ApiError('not_found');
      const outcomes = await Promise.allSettled([
        database.transaction((tx) => add(tx, 'first')),
        database.transaction(async (tx) => {
          await add(tx, 'gone');
          await add(tx, 'gone too', 'first');
          throw refusal;
        }),
        database.transaction((tx) => add(tx, 'last')),
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal((outcomes[1] as PromiseRejectedResult).reason, refusal);
      assert.deepEqual(committed(), ['first', 'last']);
    });

    it('only the one that violates a constraint fails, and its error has no text of the database', async () => {
      await database.transaction((tx) => add(tx, 'taken'));
      const [twice, other] = await Promise.allSettled([
        database.transaction((tx) => add(tx, 'taken')),
        database.transaction((tx) => add(tx, 'other')),
      ]);
      assert.equal(twice.status, 'rejected');
      assert.ok(isStorageFailure((twice as PromiseRejectedResult).reason));
      assert.ok(!String((twice as PromiseRejectedResult).reason).includes('UNIQUE'));
      assert.equal(other.status, 'fulfilled');
      assert.deepEqual(committed(), ['other', 'taken']);
    });

    it('a failed statement that is caught undoes only itself', async () => {
      await database.transaction(async (tx) => {
        await add(tx, 'before');
        await assert.rejects(add(tx, 'before'), isStorageFailure);
        await add(tx, 'after');
      });
      assert.deepEqual(committed(), ['after', 'before']);
    });

    it('parallel statements in one write nothing after one of them has failed', async () => {
      const inSteps = async (tx: Tx): Promise<void> => {
        for (let n = 0; n < 5; n++) await add(tx, `step ${n}`);
      };
      const outcomes = await Promise.allSettled([
        database.transaction((tx) => pipeline([add(tx, 'twice'), add(tx, 'twice'), inSteps(tx)])),
        database.transaction((tx) => add(tx, 'other')),
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'fulfilled'],
      );
      assert.deepEqual(committed(), ['other']);
    });

    it('later members see the writes of earlier ones, but not those of one that threw', async () => {
      const seen: unknown[] = [];
      await Promise.allSettled([
        database.transaction((tx) => add(tx, 'a')),
        database.transaction(async (tx) => {
          await add(tx, 'b');
          throw new Error('no');
        }),
        database.transaction(async (tx) => {
          seen.push(...(await tx.all(all, {})).map(({ id }) => id));
        }),
      ]);
      assert.deepEqual(seen, ['a']);
    });

    it('one that throws takes back its late rows, also those that were written, and nobody else does', async () => {
      const seen: unknown[] = [];
      const see = async (tx: Tx) => void seen.push(...(await tx.all(all, {})).map(({ id }) => id));
      const outcomes = await Promise.allSettled([
        database.transaction((tx) => addLate(tx, 'first')),
        database.transaction(async (tx) => {
          await addLate(tx, 'gone');
          throw new Error('no');
        }),
        database.transaction(async (tx) => {
          await addLate(tx, 'gone too');
          // A statement that names the table has all rows written before it, those of earlier members too.
          await see(tx);
          throw new Error('no');
        }),
        database.transaction((tx) => addLate(tx, 'last').then(() => see(tx))),
      ]);
      const failed = outcomes.map(({ status }) => status === 'rejected');
      assert.deepEqual(failed, [false, true, true, false]);
      assert.deepEqual(seen, ['first', 'gone too', 'first', 'last']);
      assert.deepEqual(committed(), ['first', 'last']);
    });

    it('a failed commit rejects every member, runs no afterCommit and keeps nothing; the next one succeeds', async () => {
      let after = 0;
      const member = (id: string, parent: string | null) =>
        database.transaction(async (tx) => {
          tx.afterCommit(() => {
            after += 1;
          });
          await add(tx, id, parent);
        });
      const outcomes = await Promise.allSettled([member('a', null), member('b', 'nobody'), member('c', null)]);
      for (const outcome of outcomes) {
        assert.equal(outcome.status, 'rejected');
        assert.ok(isStorageFailure((outcome as PromiseRejectedResult).reason));
      }
      assert.deepEqual([after, committed()], [0, []]);
      await member('d', null);
      assert.deepEqual([after, committed()], [1, ['d']]);
    });
  });

  describe('the outcome of a transaction', () => {
    it('is reported only after the commit: success, error and afterCommit', async () => {
      const reported: string[] = [];
      const report = (what: string) => () => void reported.push(`${what} ${committed().length}`);
      const ok = database.transaction(async (tx) => {
        tx.afterCommit(report('afterCommit'));
        await add(tx, 'a');
      });
      const refused = database.transaction(async (tx) => {
        await add(tx, 'b');
        throw new Error('refused');
      });
      const last = database.transaction(async (tx) => {
        await turns();
        assert.deepEqual([reported, committed()], [[], []], 'nothing is reported or visible while the batch is open');
        await add(tx, 'c');
      });
      await Promise.all([ok.then(report('success')), refused.catch(report('refusal')), last]);
      assert.deepEqual(reported.sort(), ['afterCommit 2', 'refusal 2', 'success 2']);
    });

    it('is not visible to readers of the service before', async () => {
      await database.transaction(async (tx) => {
        await add(tx, 'a');
        assert.equal((await tx.all(all, {})).length, 1);
        assert.equal((await database.all(all, {})).length, 0);
      });
      assert.equal((await database.all(all, {})).length, 1);
    });

    it('reaches every caller before close() is done', async () => {
      const own = openSqlite(path);
      const pending = times(300, (i) => own.transaction((tx) => add(tx, `n${i}`)));
      await own.close();
      await Promise.all(pending);
      assert.equal(committed().length, 300);
    });
  });

  describe('many transactions at once', () => {
    it('1000 that read, wait and add one: the sum is 1000', async () => {
      const sums = await Promise.all(
        times(1000, () =>
          database.transaction(async (tx) => {
            const { sum } = (await tx.first(readSum, { id: 1 })) as { sum: number };
            await Promise.resolve();
            await tx.run(writeSum, { id: 1, sum: sum + 1 });
            return sum + 1;
          }),
        ),
      );
      assert.deepEqual(
        sums,
        times(1000, (i) => i + 1),
        'one after the other, in the order of their coming',
      );
      assert.equal(outside.prepare('select sum from totals').get()?.sum, 1000);
    });

    for (const [batchMax, commits] of [
      [256, 4],
      [1, 1000],
    ] as const) {
      it(`1000 at the same time take ${commits} commits in batches of ${batchMax}`, async () => {
        let counted = 0;
        const group = new GroupCommit(outside, {
          batchMax,
          appends,
          beforeCommit: () => {
            counted += 1;
          },
        });
        await Promise.all(
          times(1000, (i) =>
            group.submit(
              async () => i,
              () => {},
            ),
          ),
        );
        assert.equal(counted, commits);
      });
    }
  });

  describe('a database that cannot begin', () => {
    it('fails all waiting transactions, and runs the next', async () => {
      const writer = new DatabaseSync(path);
      const group = new GroupCommit(writer, { batchMax: 256, appends, beforeCommit: () => {} });
      const work = () =>
        group.submit(
          async () => writer.exec(`insert into notes values ('x', null)`),
          () => {},
        );
      outside.exec('BEGIN IMMEDIATE');
      const outcomes = await Promise.allSettled(times(5, work));
      assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && isStorageFailure(outcome.reason)));
      outside.exec('COMMIT');
      await work();
      await group.idle();
      writer.close();
      assert.deepEqual(committed(), ['x']);
    });
  });

  describe('an afterCommit callback that throws', () => {
    it('does not change the outcome of its transaction, or of others in the same commit', async () => {
      const careless = database.transaction(async (tx) => {
        tx.afterCommit(() => {
          throw new Error('careless');
        });
        await add(tx, 'a');
      });
      const neighbour = database.transaction((tx) => add(tx, 'b'));
      await Promise.all([careless, neighbour]);
      await database.transaction((tx) => add(tx, 'c'));
      assert.deepEqual(committed(), ['a', 'b', 'c']);
    });
  });
});
