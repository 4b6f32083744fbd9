import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurns, type Turn } from './webhook-turns.ts';

const taken = (turn: Turn) => {
  assert.ok(turn.granted);
  return turn;
};
const runAt = (turn: Turn): number => {
  assert.ok(!turn.granted);
  return turn.runAt;
};

describe('turns at a receiver', () => {
  it('four at a time; who comes then is sent away, each one to a later time', () => {
    const turns = createTurns();
    const first = [1, 2, 3, 4].map(() => taken(turns.take('a', 1000)));
    const later = [1, 2, 3].map(() => runAt(turns.take('a', 1000)));
    assert.ok(
      later.every((at, i) => at > (later[i - 1] ?? 1000)),
      String(later),
    );
    taken(turns.take('b', 1000));
    first[0]?.done({ durationMs: 20, hung: false });
    taken(turns.take('a', 1000));
  });

  it('one that did not answer is asked by one attempt at a time until it does', () => {
    const turns = createTurns();
    taken(turns.take('a', 0)).done({ durationMs: 15_000, hung: true });
    const probe = taken(turns.take('a', 0));
    assert.ok(runAt(turns.take('a', 0)) >= 15_000);
    probe.done({ durationMs: 20, hung: false });
    taken(turns.take('a', 0));
    taken(turns.take('a', 0));
  });
});
