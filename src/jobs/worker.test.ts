import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Login, NOON, onBothEngines } from '../../test/support/job-bench.ts';
import type { JobOutcome } from '../api/job-types.ts';
import { enqueueJob, runJobNow } from './queue.ts';

const SECOND_MS = 1000;
const LEASE_MS = 300 * SECOND_MS;
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const done = async (): Promise<JobOutcome> => ({ status: 'done' });

onBothEngines('a job', (bench) => {
  it('receives its payload and attempt number, and leaves the queue when done', async () => {
    const seen: Login[] = [];
    await bench.add('ada@example.com');
    await bench
      .worker(async (job) => {
        seen.push(job);
        return { status: 'done' };
      })
      .runDue();
    assert.deepEqual(
      seen.map(({ payload, attempt, now }) => ({ payload, attempt, now })),
      [{ payload: { email: 'ada@example.com' }, attempt: 1, now: NOON }],
    );
    assert.deepEqual(await bench.rows(), []);
  });

  it('does not run before its time', async () => {
    let runs = 0;
    await bench.add('later@example.com', NOON + 1);
    const worker = bench.worker(async () => {
      runs += 1;
      return { status: 'done' };
    });
    await worker.runDue();
    assert.equal(runs, 0);
    bench.now += 1;
    await worker.runDue();
    assert.equal(runs, 1);
  });

  it('has the same attempt number again when nothing was tried', async () => {
    const attempts: number[] = [];
    const worker = bench.worker(async ({ attempt }) => {
      attempts.push(attempt);
      if (attempts.length > 2) return { status: 'done' };
      return { status: 'retry', reason: 'busy', runAt: bench.now + 1, isUncounted: true };
    });
    await bench.add('busy@example.com');
    for (let n = 0; n < 3; n++) {
      await worker.runDue();
      bench.now += 1;
    }
    assert.deepEqual([attempts, await bench.rows()], [[1, 1, 1], []]);
  });

  it('has the same attempt number again when it is run by hand before its time, also after it had nothing to try', async () => {
    const attempts: number[] = [];
    const worker = bench.worker(async ({ attempt }) => {
      attempts.push(attempt);
      const isUncounted = attempts.length === 4 || attempts.length === 5;
      return { status: 'retry', reason: 'down', runAt: bench.now + SECOND_MS, ...(isUncounted && { isUncounted }) };
    });
    const byHand = async (): Promise<boolean | null> => {
      const [row] = await bench.rows();
      bench.now += 1;
      return bench.database.transaction((tx) => runJobNow(tx, String(row?.id), bench.now));
    };
    await bench.add('ada@example.com');
    await worker.runDue();
    for (let n = 0; n < 5; n++) {
      assert.equal(await byHand(), true);
      assert.equal(await byHand(), false, 'it is due');
      await worker.runDue();
    }
    bench.now += SECOND_MS;
    await worker.runDue();
    assert.deepEqual(attempts, [1, 1, 1, 1, 1, 1, 2]);
  });

  it('does not exist if the transaction that enqueued it is rolled back', async () => {
    const refused = bench.database.transaction(async (tx) => {
      await enqueueJob(tx, { kind: 'mail.login', payload: { email: 'x@example.com' }, runAt: NOON });
      throw new Error('no');
    });
    await assert.rejects(refused);
    assert.deepEqual(await bench.rows(), []);
  });

  it('is reported when its handler throws, and retried with growing delays of at most ten minutes, without end', async () => {
    const attempts: number[] = [];
    const worker = bench.worker(async ({ attempt }) => {
      attempts.push(attempt);
      throw new Error(`broken ${attempt}`);
    });
    await bench.add('ada@example.com');
    const delays: number[] = [];
    for (let i = 0; i < 12; i++) {
      await worker.runDue();
      const [row] = await bench.rows();
      delays.push((Number(row?.run_at) - bench.now) / SECOND_MS);
      assert.match(String(row?.last_error), new RegExp(`broken ${i + 1}$`));
      bench.now = Number(row?.run_at) - 1;
      await worker.runDue();
      bench.now += 1;
    }
    assert.deepEqual(
      attempts,
      times(12, (i) => i + 1),
      'once at each due time, and not a moment before',
    );
    assert.deepEqual(delays, [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
    assert.equal(bench.faults.length, 12);
    await bench.worker(done).runDue();
    assert.deepEqual(await bench.rows(), []);
  });

  it('that returns a retry runs again at the requested time, and its reason is stored', async () => {
    await bench.add('ada@example.com');
    await bench.worker(async ({ now }) => ({ status: 'retry', reason: 'x'.repeat(2000), runAt: now + 5000 })).runDue();
    const [row] = await bench.rows();
    assert.equal(Number(row?.run_at), NOON + 5000);
    assert.equal(row?.last_error, 'x'.repeat(500));
    assert.deepEqual(bench.faults, []);
  });

  it('whose result cannot be written stays in the queue and runs again when its lease expires', async () => {
    let runs = 0;
    const handle = async (): Promise<JobOutcome> => {
      runs += 1;
      if (runs > 1) return { status: 'done' };
      return {
        status: 'done',
        complete: async () => {
          throw new Error('disk full');
        },
      };
    };
    await bench.add('ada@example.com');
    const worker = bench.worker(handle);
    await worker.runDue();
    assert.deepEqual([runs, bench.faults.length, (await bench.rows()).length], [1, 1, 1]);
    bench.now += LEASE_MS - 1;
    await worker.runDue();
    assert.equal(runs, 1);
    bench.now += 1;
    await worker.runDue();
    assert.deepEqual([runs, await bench.rows()], [2, []]);
  });
});

onBothEngines('two workers on one queue', (bench) => {
  it('never run one job twice: 100 jobs, 100 runs', async () => {
    const runs: string[] = [];
    const handle = async ({ payload }: Login): Promise<JobOutcome> => {
      runs.push(payload.email);
      await new Promise((resolve) => setImmediate(resolve));
      return { status: 'done' };
    };
    const emails = times(100, (i) => `person-${String(i).padStart(3, '0')}@example.com`);
    for (const email of emails) await bench.add(email);
    await Promise.all([bench.worker(handle).runDue(), bench.worker(handle).runDue()]);
    assert.deepEqual(runs.sort(), emails);
    assert.deepEqual(await bench.rows(), []);
  });

  it('take a running job of the other only after its lease expires', async () => {
    const runs: string[] = [];
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stuck = bench.worker(async ({ attempt }) => {
      runs.push(`stuck ${attempt}`);
      await gate;
      return { status: 'done' };
    });
    const other = bench.worker(async ({ attempt }) => {
      runs.push(`other ${attempt}`);
      return { status: 'done' };
    });
    await bench.add('ada@example.com');
    const stuckRun = stuck.runDue();
    while (runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
    bench.now += LEASE_MS - 1;
    await other.runDue();
    assert.deepEqual(runs, ['stuck 1']);
    bench.now += 1;
    await other.runDue();
    assert.deepEqual(runs, ['stuck 1', 'other 2']);
    assert.deepEqual(await bench.rows(), []);
    release();
    await stuckRun;
    assert.deepEqual(await bench.rows(), [], 'the late one brings nothing back');
  });
});

onBothEngines('a worker that stops', (bench) => {
  it('waits for running jobs and takes no new ones', async () => {
    let finished = 0;
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await bench.add('first@example.com');
    const worker = bench.worker(async () => {
      await gate;
      finished += 1;
      return { status: 'done' };
    });
    worker.start();
    while (Number((await bench.rows())[0]?.attempts) === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = worker.stop();
    await bench.add('second@example.com');
    release();
    await stopped;
    assert.equal(finished, 1);
    const left = await bench.rows();
    assert.deepEqual(
      left.map(({ payload }) => payload),
      ['{"email":"second@example.com"}'],
    );
  });
});
