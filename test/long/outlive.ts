import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config/service-config.ts';
import {
  assertChainsHold,
  assertMessagesAddUp,
  assertNothingHalfWritten,
  untilNothingHidden,
} from '../process/consistency.ts';
import { createRandom, seed } from '../process/kill.ts';
import { type Service, startService } from '../process/service.ts';
import type { Found } from './found.ts';
import { MODEL_LIMITS, Model } from './model.ts';
import { startOutside } from './outside.ts';
import { printRow } from './size.ts';

export interface Scene {
  /** The instances. A trouble that ends one puts another in its place. */
  services: Service[];
  /** What the first of them was started with. */
  env: Readonly<Record<string, string>>;
  /** From 0 to 1, by the seed. */
  random(): number;
}

export interface Ordeal {
  /** For the table. */
  what: string;
  rounds: number;
  /** The environment of each instance. */
  envs: readonly Record<string, string>[];
  /** Starts them instead of `signet serve` of this version. */
  command?: readonly string[];
  /** Whether mail programs work on the same addresses, by IMAP and submission. */
  withPrograms?: boolean;
  /** How long what was begun may take afterwards: ten times the promised time. */
  boundMs: number;
  /** Happens once a round, under load. */
  trouble(scene: Scene): Promise<void>;
}

/** At most so many calls are answered before the trouble, and after it. */
const CALLS = { before: 120, after: 60 };
/** The longest time between the last of them and the trouble. */
const JITTER_MS = 20;
const AGENTS = 3;

/**
 * Runs the model while a trouble happens again and again. Then every effect must be there once and none half, nothing may
 * have failed in another way than with a broken connection or 503, and the chains must verify.
 */
export async function outlive(t: TestContext, ordeal: Ordeal): Promise<Found> {
  const { what, rounds, envs, command, withPrograms = false, boundMs, trouble } = ordeal;
  const outside = await startOutside();
  const settings = envs.map((env) => ({ ...env, LIMITS: MODEL_LIMITS, ...outside.env }));
  const services = await Promise.all(settings.map((env) => startService(env, command)));
  const scene: Scene = { services, env: settings[0] as Record<string, string>, random: createRandom(seed) };
  const times: number[] = [];
  const model = new Model(() => scene.services, outside, { withPrograms });
  let load: Promise<void> = Promise.resolve();
  try {
    await model.setUp(AGENTS);
    for (let round = 0; round < rounds; round++) {
      let isOver = false;
      load = model.run(() => isOver);
      // Reported where it is awaited.
      load.catch(() => {});
      // Counted, not timed: on a slow machine too it comes amid what was acknowledged.
      await Promise.race([model.worked(1 + CALLS.before * scene.random()), load]);
      await sleep(JITTER_MS * scene.random());
      await trouble(scene);
      await Promise.race([model.worked(1 + CALLS.after * scene.random()), load]);
      isOver = true;
      await load;
      times.push(await model.settled(boundMs));
    }
    const found = await model.verify();
    const config = readConfig(envs[0] as Record<string, string>);
    await untilNothingHidden(config);
    await assertNothingHalfWritten(config);
    await assertMessagesAddUp(config);
    await assertChainsHold(config, 0);
    printRow(t, `${what}, ${rounds} times (seed ${seed})`, {
      ...found,
      'settled after ms at most': Math.max(...times),
    });
    for (const service of scene.services)
      assert.equal((await service.kill('SIGTERM')).code, 0, 'each process goes on to the end');
    return found;
  } catch (err) {
    const output = scene.services.map((one) => `${one.stdout().slice(-4000)}${one.stderr().slice(-4000)}`).join('\n');
    t.diagnostic(`seed ${seed}: CRASH_SEED=${seed} repeats it; the service wrote:\n${output}`);
    throw err;
  } finally {
    model.abandon();
    await load.catch(() => {});
    await Promise.all(scene.services.map((service) => service.kill('SIGKILL')));
    await outside.close();
  }
}
