import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedMemory } from './shared-memory.ts';

/** Shares of a memory of ten pieces, each with who went for it. */
function pieces(longMs?: number) {
  const memory = new SharedMemory(10, longMs);
  const gone: string[] = [];
  const share = (owner: string, name = owner) => memory.share(owner, () => gone.push(name));
  return { share, gone };
}

describe('memory that sessions share', () => {
  it('goes from who holds most to who holds less, what was held longest first', () => {
    const { share, gone } = pieces();
    const [first, second, small] = [share('ada', 'first'), share('ada', 'second'), share('eve')];
    for (const [each, size] of [
      [first, 4],
      [small, 1],
      [second, 5],
    ] as const)
      assert.equal(each.take(size), true);
    const bob = share('bob');
    assert.equal(bob.take(3), true);
    assert.deepEqual(gone, ['first']);
    assert.equal(first.take(1), false, 'what went does not come back');
    first.give(4);
    assert.equal(bob.take(1), true);
    assert.equal(bob.take(1), true, 'ada still holds as much');
    assert.deepEqual(gone, ['first', 'second']);
  });

  it('is refused to who holds most, and takes nothing from the same owner', () => {
    const { share, gone } = pieces();
    const [first, second, small] = [share('ada'), share('ada'), share('eve')];
    assert.equal(first.take(4), true);
    assert.equal(small.take(3), true);
    assert.equal(second.take(3), true);
    assert.equal(second.take(1), false);
    assert.equal(first.take(1), false);
    assert.deepEqual(gone, []);
    second.give(3);
    assert.equal(first.take(3), true, 'what was given back is free');
  });

  it('is not taken from who is at work with it', async () => {
    const { share, gone } = pieces();
    const [ada, bob] = [share('ada'), share('bob')];
    ada.take(10);
    await ada.during(async () => assert.equal(bob.take(1), false));
    assert.equal(bob.take(1), true);
    assert.deepEqual(gone, ['ada']);
  });

  it('goes to anyone from who has held it for long', () => {
    const { share, gone } = pieces(-1);
    const slow = Array.from({ length: 10 }, (_, n) => share(`slow ${n}`));
    for (const each of slow) assert.equal(each.take(1), true);
    const bob = share('bob');
    for (let n = 0; n < 3; n += 1) assert.equal(bob.take(1), true);
    assert.deepEqual(gone, ['slow 0', 'slow 1', 'slow 2']);
  });
});
