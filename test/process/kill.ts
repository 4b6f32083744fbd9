import { randomInt } from 'node:crypto';
import type { Config } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { runSql } from '../support/harness.ts';

/** The seed for the times of the kills. Set it to the number that a failed run printed to repeat that run. */
export const seed = Number(process.env.CRASH_SEED ?? randomInt(1_000_000_000));

/** mulberry32: a seeded generator of numbers from 0 to 1. */
export function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * On a shared database another instance takes over the mail that the killed process was parsing, once that process has not
 * reported for 10 seconds. This makes its last report that old, so that the next instance to start takes over at once. The long
 * profiles wait for it instead. PostgreSQL may still be executing the last statement of the process.
 */
export async function outliveLeases(config: Config): Promise<void> {
  const others = `select pid from pg_stat_activity where datname = current_database() and application_name = 'signet'`;
  await eventually(async () => (await runSql(config, others, [])).length === 0);
  if (!process.env.SIGNET_LONG) await runSql(config, 'update service_instances set seen_at = 0', []);
}
