import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { assertChainsHold } from '../process/consistency.ts';
import { createRandom, seed } from '../process/kill.ts';
import { type Service, startService } from '../process/service.ts';
import { MODEL_LIMITS, Model } from './model.ts';
import { startOutside } from './outside.ts';
import { printRow } from './size.ts';

export interface Scene {
  /** The instances. A trouble that ends one puts another in its place. */
  services: Service[];
  /** From 0 to 1, by the seed. */
  random(): number;
}

export interface Ordeal {
  /** For the table. */
  what: string;
  rounds: number;
  /** The environment of each instance. */
  envs: readonly Record<string, string>[];
  /** How long what was begun may take afterwards: ten times the promised time. */
  boundMs: number;
  /** Happens once a round, under load. */
  trouble(scene: Scene): Promise<void>;
}

const LOAD_MS = 1500;
const AGENTS = 3;

/**
 * Runs the model while a trouble happens again and again. Then every effect must be there once, nothing may have failed in
 * another way than with a broken connection or 503, and the chains must verify.
 */
export async function outlive(t: TestContext, { what, rounds, envs, boundMs, trouble }: Ordeal): Promise<void> {
  const outside = await startOutside();
  const started = envs.map((env) => startService({ ...env, LIMITS: MODEL_LIMITS, ...outside.env }));
  const scene: Scene = { services: await Promise.all(started), random: createRandom(seed) };
  const times: number[] = [];
  const model = new Model(() => scene.services.map(({ baseUrl }) => baseUrl), outside);
  let load: Promise<void> = Promise.resolve();
  try {
    await model.setUp(AGENTS);
    for (let round = 0; round < rounds; round++) {
      let isOver = false;
      load = model.run(() => isOver);
      // Reported where it is awaited.
      load.catch(() => {});
      await sleep(LOAD_MS * scene.random());
      await trouble(scene);
      await sleep(LOAD_MS * scene.random());
      isOver = true;
      await load;
      times.push(await model.settled(boundMs));
    }
    const found = await model.verify();
    await assertChainsHold(readConfig(envs[0] as Record<string, string>), 0);
    printRow(t, `${what}, ${rounds} times (seed ${seed})`, {
      ...found,
      'settled after ms at most': Math.max(...times),
    });
    for (const service of scene.services)
      assert.equal((await service.kill('SIGTERM')).code, 0, 'each process goes on to the end');
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
