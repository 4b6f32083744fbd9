import assert from 'node:assert/strict';
import { monotonicMs } from '../../src/kernel/clock.ts';
import type { TestApp } from './harness.ts';

const WAITING = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Waits until as many calls wait for a lock. On SQLite, where one transaction runs at a time, they wait anyway. */
export async function untilWaiting(t: TestApp, calls: readonly Promise<unknown>[]): Promise<void> {
  if (t.engine === 'sqlite') return;
  let isAnswered = false;
  for (const call of calls) void call.then(() => (isAnswered = true));
  const end = monotonicMs() + 60_000;
  while (Number((await t.sql(WAITING))[0]?.n) < calls.length) {
    assert.ok(!isAnswered, 'a call did not wait');
    assert.ok(monotonicMs() < end, 'the calls do not wait for a lock');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
