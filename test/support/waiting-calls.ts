import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { TestApp } from './harness.ts';

const WAITING = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Waits until as many calls wait for a lock. On SQLite, where one transaction runs at a time, they wait anyway. */
export async function untilWaiting(t: TestApp, calls: readonly Promise<unknown>[]): Promise<void> {
  if (t.engine === 'sqlite') return;
  let isAnswered = false;
  for (const call of calls) void call.then(() => (isAnswered = true));
  const areWaiting = async (): Promise<boolean> => Number((await t.sql(WAITING))[0]?.n) >= calls.length;
  await eventually(async () => isAnswered || (await areWaiting()), 'the calls wait for a lock');
  assert.ok(!isAnswered, 'a call did not wait');
}
