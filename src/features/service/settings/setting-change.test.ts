import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';
import { changeToUndo, withChange } from './setting-change.ts';
import type { FieldChange } from './setting-change-table.ts';

const START = 100 * DAY_MS;

/** The changes of a field that had the value `first` before. */
function history(first: unknown, sets: readonly (Omit<FieldChange, 'before'> & { value: unknown })[]) {
  let [list, value]: [FieldChange[], unknown] = [[], first];
  for (const { value: next, ...set } of sets) {
    list = withChange(list, { ...set, before: value });
    value = next;
  }
  return list;
}

const undone = (list: FieldChange[], now: number, old: string[] = [], whole = false): unknown =>
  changeToUndo(list, { now, whole }, new Set(old))?.before;

const flood = (n: number, from: number, everyMs: number) =>
  Array.from({ length: n }, (_, i) => ({ value: `thief ${i}`, at: from + i * everyMs }));

describe('N4: the changes of a field', () => {
  it('of 5,000 a few are kept, and what stood before is among them', () => {
    for (const everyMs of [0, 1, 1000]) {
      const list = history('owner', flood(5000, START, everyMs));
      assert.ok(list.length <= 16, `${list.length}`);
      assert.equal(undone(list, START + 5000 * everyMs), 'owner');
    }
  });

  it('a value that has stood for 7 days is not pushed out, nor what a pod had at first', () => {
    const sets = [{ value: 'owner 2', at: START }, ...flood(500, START + 8 * DAY_MS, 1000)];
    const list = history('owner 1', sets);
    assert.deepEqual(
      [undone(list, START + 9 * DAY_MS), undone(list, START + 9 * DAY_MS, [], true)],
      ['owner 2', 'owner 1'],
    );
  });

  it('values of the largest size are kept twice at most', () => {
    const long = (n: number): string => `${n}`.padEnd(200_000, '.');
    const sets = Array.from({ length: 50 }, (_, n) => ({ value: long(n + 1), at: START + n * HOUR_MS }));
    assert.deepEqual(
      history(long(0), sets).map(({ before }) => before),
      [long(0)],
    );
    const aged = history(long(0), [...sets, ...flood(50, START + 10 * DAY_MS, 1000)]);
    assert.equal(undone(aged, START + 11 * DAY_MS), long(50));
    assert.ok(JSON.stringify(aged).length < 410_000);
  });

  it('changes of every day for months go back a week or two, never to the first', () => {
    const sets = Array.from({ length: 90 }, (_, day) => ({ value: day, at: START + day * DAY_MS }));
    assert.equal(undone(history('first', sets), START + 89 * DAY_MS + HOUR_MS), 82);
    const long = sets.map(({ value, at }) => ({ value: `${value} `.padEnd(30_000, '.'), at }));
    const day = Number.parseInt(String(undone(history('first', long), START + 89 * DAY_MS + HOUR_MS)), 10);
    assert.ok(day >= 89 - 15 && day <= 82, `${day}`);
  });

  it('what a person set returns if the person is old by then', () => {
    const sets = [{ value: 'operator', at: START, by: 'o@x' }, ...flood(100, START + DAY_MS, 1)];
    const list = history('owner', sets);
    assert.equal(undone(list, START + 2 * DAY_MS, ['o@x']), 'operator');
    assert.equal(undone(list, START + 2 * DAY_MS), 'owner');
  });
});
