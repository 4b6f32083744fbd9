import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
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
 * On a shared database any instance can take over the mail that the killed process was parsing, after its lease of a
 * minute. This ends the lease at once. PostgreSQL may still be executing the last statement of the process.
 */
export async function outliveLeases(config: Config): Promise<void> {
  const others = `select pid from pg_stat_activity where datname = current_database() and application_name = 'signet'`;
  while ((await runSql(config, others, [])).length > 0) await sleep(10);
  await runSql(config, `update mail_contents set parse_lease_until = 0 where state = 'pending'`, []);
}
