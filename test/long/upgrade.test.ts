/**
 * `FORMER=/path npm run test:long -- upgrade`: another version runs first, from a checkout of it with its modules
 * (`git worktree add --detach /path v0.20.0`). Without FORMER it is this version. Instances of 0.19 and earlier cannot run
 * beside this one.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../process/service.ts';
import { freshDatabase } from '../support/harness.ts';
import { outlive } from './outlive.ts';
import { sizeOf } from './size.ts';

/** Instances that are replaced, one after the other; the first two are of the former version. */
const ROUNDS = sizeOf(8);
const BOUND_MS = 150_000;
/** How long an instance goes on that gets no new calls. A load balancer drains it so. */
const DRAINED_MS = 3000;

const { FORMER } = process.env;
const command = FORMER === undefined ? undefined : ['sh', join(FORMER, 'bin/signet'), 'serve'];

it('instances of another version are replaced under load: no call gets a 5xx, and nothing is lost', async (t) => {
  const { env, drop } = await freshDatabase('postgres', { empty: true });
  let next = 0;
  try {
    const found = await outlive(t, {
      what: `an instance replaced, PostgreSQL, from ${FORMER ?? 'this version'}`,
      rounds: ROUNDS,
      boundMs: BOUND_MS,
      envs: [env, env],
      ...(command && { command }),
      trouble: async ({ services, env: settings }) => {
        const at = next++ % services.length;
        const former = services[at] as Service;
        services[at] = await startService(settings);
        await sleep(DRAINED_MS);
        assert.deepEqual(await former.kill('SIGTERM'), { code: 0, signal: null });
      },
    });
    assert.deepEqual([found.unavailable, found.mailedTwice], [0, 0]);
  } finally {
    await drop();
  }
});
