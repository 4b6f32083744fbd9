import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NOON, onBothEngines } from '../../test/support/job-bench.ts';
import type { JobOutcome } from '../api/job-types.ts';
import type { Database } from '../api/transaction.ts';
import { enqueueJob } from './queue.ts';

onBothEngines('a job and trouble', (bench) => {
  const withTransaction = (transaction: Database['transaction']): Database =>
    new Proxy(bench.database, {
      get: (target, key) => {
        if (key === 'transaction') return transaction;
        const value = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });

  it('is not attempted again when its result could only be written later', async () => {
    let runs = 0;
    let failures = 0;
    const handle = async (): Promise<JobOutcome> => {
      runs += 1;
      const complete = async (): Promise<void> => {
        failures += 1;
        if (failures === 1) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
        if (failures === 2) throw Object.assign(new Error('no socket'), { code: 'ENOENT', syscall: 'connect' });
        if (failures === 3) throw Object.assign(new Error('idle-in-transaction timeout'), { code: '25P03' });
      };
      return { status: 'done', complete };
    };
    await bench.add('ada@example.com');
    await bench.worker(handle).runDue();
    assert.deepEqual([runs, failures, bench.faults.length, await bench.rows()], [1, 4, 1, []]);
  });

  it('is not stored again when what it writes is refused', async () => {
    let tries = 0;
    const complete = async (): Promise<void> => {
      tries += 1;
      throw Object.assign(new Error('duplicate key'), { code: '23505' });
    };
    await bench.add('ada@example.com');
    await bench.worker(async () => ({ status: 'done', complete })).runDue();
    assert.deepEqual([tries, bench.faults.length, (await bench.rows()).length], [1, 1, 1]);
  });

  it('is settled once when the answer to the COMMIT was lost', async () => {
    let settled = 0;
    let lost = 0;
    const complete = async (): Promise<void> => {
      settled += 1;
    };
    const transaction: Database['transaction'] = async (work) => {
      const value = await bench.database.transaction(work);
      if (settled === 0 || lost > 0) return value;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    };
    await bench.add('ada@example.com');
    const outcome = { status: 'retry', reason: 'busy', runAt: NOON + 1, isUncounted: true, complete } as const;
    await bench.worker(async () => outcome, withTransaction(transaction)).runDue();
    const [row] = await bench.rows();
    assert.deepEqual([settled, lost, Number(row?.attempts), Number(row?.run_at)], [1, 1, 0, NOON + 1]);
  });

  it('runs soon when the answer to the COMMIT of its lease was lost', async () => {
    let lost = 0;
    const transaction: Database['transaction'] = async (work) => {
      const value = await bench.database.transaction(work);
      if (lost > 0 || (await bench.rows()).every((row) => row.leased_by === null)) return value;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    };
    const attempts: number[] = [];
    await bench.add('ada@example.com');
    const worker = bench.worker(async ({ attempt }) => {
      attempts.push(attempt);
      return { status: 'done' };
    }, withTransaction(transaction));
    await worker.runDue();
    assert.deepEqual([lost, attempts], [1, []]);
    await bench.add('bob@example.com');
    await worker.runDue();
    assert.deepEqual([attempts, await bench.rows()], [[1, 1], []]);
  });

  it('that runs is not started again when the clock is set forward past its lease', async () => {
    const ran: string[] = [];
    const [ada, bob] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begun = Promise.withResolvers<void>();
    const worker = bench.worker(async ({ payload }) => {
      ran.push(payload.email);
      if (payload.email.startsWith('bob')) bob.resolve();
      else {
        begun.resolve();
        await ada.promise;
      }
      return { status: 'done' };
    });
    await bench.add('ada@example.com');
    const first = worker.runDue();
    await begun.promise;
    bench.now = NOON + 3_600_000;
    await bench.add('bob@example.com');
    worker.wake();
    // The lease that takes this one would take the other too.
    await bob.promise;
    ada.resolve();
    await first;
    await worker.runDue();
    assert.deepEqual([ran, await bench.rows()], [['ada@example.com', 'bob@example.com'], []]);
  });

  it('that was due stays due when the clock is set back by an hour; a retry waits no longer than it would have', async () => {
    const ran: string[] = [];
    const worker = bench.worker(async ({ payload, attempt }) => {
      const name = payload.email?.split('@', 1)[0] ?? 'scheduled';
      ran.push(name);
      const isRetried = name === 'again' && attempt === 1;
      return isRetried ? { status: 'retry', reason: 'busy', runAt: NOON + 500 } : { status: 'done' };
    });
    await bench.add('again@example.com');
    await worker.runDue();
    await bench.add('due@example.com', NOON);
    await bench.add('later@example.com', NOON + 2000);
    const payload = { draftId: 'drf_1', sendAt: NOON + 500 };
    await bench.database.transaction((tx) => enqueueJob(tx, { kind: 'draft.send', payload, runAt: payload.sendAt }));
    bench.now = NOON - 3_600_000;
    await worker.runDue();
    assert.deepEqual(ran, ['again', 'due']);
    for (const [at, name] of [
      [NOON - 3_600_000 + 500, 'again'],
      [NOON - 3_600_000 + 2000, 'later'],
      [NOON + 500, 'scheduled'],
    ] as const) {
      bench.now = at - 1;
      await worker.runDue();
      assert.notEqual(ran.at(-1), name);
      bench.now = at;
      await worker.runDue();
      assert.equal(ran.at(-1), name);
    }
  });
});
