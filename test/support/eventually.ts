import { setTimeout as sleep } from 'node:timers/promises';

/** Only what never happens waits this long: no test depends on the machine's speed. */
const PATIENCE_MS = 120_000;

const LONGEST_STEP_MS = 50;

/** Not yet: `look` is asked again. */
type NotYet = false | null | undefined;

/**
 * Waits for what happens in its own time: asks `look` until it returns something, and not `false`, `null` or `undefined`.
 * What it throws counts as "not yet", so it can call what is not up yet, or assert.
 * @param what names the awaited in the failure
 * @throws Error if it does not happen in two minutes, with the last thing that `look` threw as its cause
 */
export async function eventually<T>(look: () => T | NotYet | Promise<T | NotYet>, what = String(look)): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  let cause: unknown;
  for (let stepMs = 2; performance.now() < until; stepMs = Math.min(2 * stepMs, LONGEST_STEP_MS)) {
    try {
      const seen = await look();
      if (seen !== false && seen !== null && seen !== undefined) return seen;
      cause = undefined;
    } catch (err) {
      cause = err;
    }
    await sleep(stepMs);
  }
  throw new Error(`it did not happen in ${PATIENCE_MS / 1000} s: ${what}`, { cause });
}
