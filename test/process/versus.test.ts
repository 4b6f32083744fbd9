import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { inTurns } from '../../bench/rig/compared.ts';
import { intervalOf, isWithin, verdictOf } from '../../bench/rig/paired.ts';
import { root } from './command-line.ts';

const near = (value: number, expected: number): void =>
  assert.ok(Math.abs(value - expected) < 0.0001, `${value} is not ${expected}`);

const interval = (low: number, high: number) => ({ ratio: Math.sqrt(low * high), low, high, pairs: 8 });

describe('a comparison of two versions', () => {
  it('knows the interval of eight pairs: mean and deviation of the logarithms, t of seven degrees (2.3646)', () => {
    const { ratio, low, high, pairs } = intervalOf([0.9, 1, 1.1, 1.05, 0.95, 1.02, 0.98, 1]);
    near(ratio, 0.99838);
    near(low, 0.94881);
    near(high, 1.05054);
    assert.equal(pairs, 8);
    assert.equal(isWithin({ ratio, low, high, pairs }, 6), true);
    assert.equal(isWithin({ ratio, low, high, pairs }, 5), false);
  });

  it('says faster or slower only if the interval excludes 1, and nothing if the same version differs from itself', () => {
    const same = interval(0.99, 1.01);
    assert.equal(verdictOf(interval(0.6, 0.7), same, 3), 'faster');
    assert.equal(verdictOf(interval(1.01, 1.02), same, 3), 'slower');
    assert.equal(verdictOf(interval(0.98, 1.01), same, 3), 'alike');
    assert.equal(verdictOf(interval(0.9, 1.01), same, 3), 'no verdict');
    assert.equal(verdictOf(interval(0.6, 0.7), interval(1.01, 1.02), 3), 'no verdict');
    assert.equal(verdictOf(interval(0.6, 0.7), interval(0.9, 1.1), 3), 'no verdict');
  });

  it('measures there and back, and stops at the first even number of pairs that is narrow enough', async () => {
    const order: string[] = [];
    const measure = (side: string): Promise<number> => Promise.resolve(order.push(side) % 2 === 0 ? 1 : 1.001);
    const micros = await inTurns(['twin', 'theirs', 'ours'], measure, { least: 3, most: 40, within: 3 });
    assert.deepEqual(order.slice(0, 6), ['twin', 'theirs', 'ours', 'ours', 'theirs', 'twin']);
    assert.deepEqual(
      micros.map(({ length }) => length),
      [4, 4, 4],
    );
  });

  it('ends with 2 and a sentence if there is no such commit', () => {
    const command = ['bin/node', '--disable-warning=ExperimentalWarning', 'bench/run.ts', 'versus', 'no-such-commit'];
    const { status, stdout, stderr } = spawnSync('sh', command, { cwd: root, encoding: 'utf8' });
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^this repository has no commit no-such-commit; /);
  });
});
