import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { monotonicMs } from '../base/clock.ts';
import type { Origin } from './fair-queue.ts';
import { WorkerPool } from './worker-pool.ts';

const ASKING = new URL('../../test/support/asking-worker.ts', import.meta.url);
/** Larger than what a thread takes ahead, so that each waits in the queue. */
const RAW = new Uint8Array(200_000);
const BYSTANDER: Origin = { network: '192.0.2.0', addresses: ['ada@x.example'] };

/** A pool of two threads, whose messages take until the test ends them. */
function poolOf() {
  const pool = new WorkerPool<string, string, string, string>({
    name: 'asking',
    file: ASKING,
    deadlineMs: 60_000,
    workers: 2,
    heapMb: 64,
    atATime: 'one',
  });
  const begun: string[] = [];
  const waiters: { count: number; resolve: () => void }[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const gateOf = (name: string) => {
    const gate = gates.get(name) ?? Promise.withResolvers<string>();
    gates.set(name, gate);
    return gate;
  };
  const answer = (name: string): Promise<string> => {
    begun.push(name);
    for (const { count, resolve } of waiters) if (begun.length >= count) resolve();
    return gateOf(name).promise;
  };
  return {
    pool,
    begun,
    /** Resolves when as many messages were begun in all. */
    reached: (count: number) =>
      new Promise<void>((resolve) => (begun.length >= count ? resolve() : void waiters.push({ count, resolve }))),
    run: (name: string, origin: Origin, raw = RAW) => {
      const result = pool.run({ raw, context: name, origin, answer });
      // Reported where it is awaited.
      result.catch(() => {});
      return result;
    },
    end: (name: string) => gateOf(name).resolve(name),
  };
}

const ATTACKS: Record<string, (n: number) => Origin> = {
  'one network to many addresses': (n) => ({ network: '203.0.113.0', addresses: [`eve-${n}@x.example`] }),
  'many networks to one address': (n) => ({ network: `203.0.${n}.0`, addresses: ['eve@x.example'] }),
  'many networks to many addresses, one of which all share': (n) => ({
    network: `203.0.${n}.0`,
    addresses: [`eve-${n}@x.example`, 'eve@x.example'],
  }),
};

describe('N5: a thread stays free for others', () => {
  for (const [attack, originOf] of Object.entries(ATTACKS))
    it(`N5: ${attack} have one thread: a bystander is served before any of them ends`, async () => {
      const { pool, begun, reached, run, end } = poolOf();
      const names = Array.from({ length: 12 }, (_, n) => `hostile-${n}`);
      try {
        const hostile = names.map((name, n) => run(name, originOf(n)));
        await reached(1);
        const served = run('bystander', BYSTANDER);
        end('bystander');
        await reached(2);
        assert.deepEqual(begun, ['hostile-0', 'bystander'], 'one of the twelve was begun');
        assert.deepEqual(await served, { reply: 'bystander' });
        assert.equal(begun.length, 2, 'none of the twelve has ended');
        for (const name of names) end(name);
        assert.deepEqual(
          await Promise.all(hostile),
          names.map((reply) => ({ reply })),
        );
      } finally {
        await pool.close();
      }
    });

  it('N5: small mails of one origin wait behind their own, also when a thread is free', async () => {
    const { pool, begun, reached, run, end } = poolOf();
    try {
      const origin = { network: '203.0.113.0', addresses: ['eve@x.example'] };
      const small = new Uint8Array(10);
      const first = [run('first', origin, small), run('second', origin, small)];
      await reached(1);
      const served = run('bystander', BYSTANDER, small);
      end('bystander');
      await reached(2);
      assert.deepEqual(begun, ['first', 'bystander']);
      await served;
      for (const name of ['first', 'second']) end(name);
      assert.deepEqual(await Promise.all(first), [{ reply: 'first' }, { reply: 'second' }]);
    } finally {
      await pool.close();
    }
  });

  it('N5: mails that share neither network nor address have both threads', async () => {
    const { pool, begun, reached, run, end } = poolOf();
    try {
      const both = [run('one', BYSTANDER), run('other', { network: '203.0.113.0', addresses: ['eve@x.example'] })];
      await reached(2);
      assert.deepEqual(begun.toSorted(), ['one', 'other']);
      for (const name of begun) end(name);
      await Promise.all(both);
    } finally {
      await pool.close();
    }
  });

  it('N12: a mail of the network that sent ten large ones to another address waits for one of them, not for ten', async () => {
    const { pool, begun, reached, run, end } = poolOf();
    const network = '203.0.113.0';
    const names = Array.from({ length: 10 }, (_, n) => `large-${n}`);
    try {
      const large = names.map((name) => run(name, { network, addresses: ['eve@x.example'] }));
      await reached(1);
      const served = run('neighbour', { network, addresses: ['ada@x.example'] });
      end('large-0');
      await reached(2);
      assert.deepEqual(begun, ['large-0', 'neighbour']);
      end('neighbour');
      assert.deepEqual(await served, { reply: 'neighbour' });
      for (const name of names) end(name);
      assert.deepEqual(
        await Promise.all(large),
        names.map((reply) => ({ reply })),
      );
    } finally {
      await pool.close();
    }
  });

  it('N5: mails of which no origin is known have both threads', async () => {
    const { pool, begun, reached, run, end } = poolOf();
    try {
      const both = ['one', 'other'].map((name) => run(name, { network: '', addresses: [] }));
      await reached(2);
      for (const name of begun) end(name);
      await Promise.all(both);
    } finally {
      await pool.close();
    }
  });
});

it('loses no message whose thread becomes slow in the moment in which it is chosen', { timeout: 120_000 }, async () => {
  const { pool, reached, run, end } = poolOf();
  let [at, step] = [monotonicMs(), 0];
  const clock = mock.method(performance, 'now', () => {
    at += step;
    return at;
  });
  try {
    const raw = new Uint8Array(10);
    const first = run('first', BYSTANDER, raw);
    await reached(1);
    // At the first look it has taken 30 ms, at the second 60.
    step = 30;
    const second = run('second', BYSTANDER, raw);
    for (const name of ['first', 'second']) end(name);
    assert.deepEqual(await Promise.all([first, second]), [{ reply: 'first' }, { reply: 'second' }]);
  } finally {
    clock.mock.restore();
    await pool.close();
  }
});
