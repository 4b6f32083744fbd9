import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NOON, onBothEngines } from '../../test/support/job-bench.ts';
import type { JobOutcome } from '../kernel/jobs.ts';
import type { Database } from '../kernel/transaction.ts';
import { enqueueJob } from './queue.ts';

onBothEngines('a job and trouble', (bench) => {
  it('is not attempted again when its result could only be written later', async () => {
    let runs = 0;
    let failures = 0;
    const handle = async (): Promise<JobOutcome> => {
      runs += 1;
      const settle = async (): Promise<void> => {
        failures += 1;
        if (failures < 3) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
      };
      return { status: 'done', settle };
    };
    await bench.add('ada@example.com');
    await bench.worker(handle).runDue();
    assert.deepEqual([runs, failures, bench.faults.length, await bench.rows()], [1, 3, 1, []]);
  });

  it('is not stored again when what it writes is refused', async () => {
    let tries = 0;
    const settle = async (): Promise<void> => {
      tries += 1;
      throw Object.assign(new Error('duplicate key'), { code: '23505' });
    };
    await bench.add('ada@example.com');
    await bench.worker(async () => ({ status: 'done', settle })).runDue();
    assert.deepEqual([tries, bench.faults.length, (await bench.rows()).length], [1, 1, 1]);
  });

  it('is settled once when the answer to the COMMIT was lost', async () => {
    let settled = 0;
    let lost = 0;
    const settle = async (): Promise<void> => {
      settled += 1;
    };
    const transaction: Database['transaction'] = async (work) => {
      const value = await bench.database.transaction(work);
      if (settled === 0 || lost > 0) return value;
      lost += 1;
      throw new Error('Connection terminated unexpectedly');
    };
    const database = new Proxy(bench.database, {
      get: (target, key) => {
        if (key === 'transaction') return transaction;
        const value = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await bench.add('ada@example.com');
    const outcome = { status: 'retry', reason: 'busy', runAt: NOON + 1, isUncounted: true, settle } as const;
    await bench.worker(async () => outcome, database).runDue();
    const [row] = await bench.rows();
    assert.deepEqual([settled, lost, Number(row?.attempts), Number(row?.run_at)], [1, 1, 0, NOON + 1]);
  });

  it('that was due stays due when the clock is set back by an hour; retries and what is scheduled wait', async () => {
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
    bench.now = NOON + 2000;
    await worker.runDue();
    assert.deepEqual(ran.slice(2).toSorted(), ['again', 'later', 'scheduled']);
  });
});
