import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gatherLookUps, shareLookUps } from './shared-look-up.ts';

const unavailable = { code: 'storage_unavailable' };
const hung = new Promise<never>(() => {});

describe('look-ups that requests share', () => {
  it('of many ids: after ten seconds, two queries that hang have failed and the next one runs', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const asked: string[][] = [];
    const find = gatherLookUps(async (ids) => {
      asked.push([...ids]);
      return asked.length > 2 ? new Map(ids.map((id) => [id, `found ${id}`])) : hung;
    });
    const first = find('a');
    await setImmediate();
    const second = find('b');
    await setImmediate();
    const [third, fourth] = [find('c'), find('d')];
    await setImmediate();
    assert.deepEqual(asked, [['a'], ['b']]);
    const failed = Promise.all([assert.rejects(first, unavailable), assert.rejects(second, unavailable)]);
    context.mock.timers.tick(10_000);
    await failed;
    assert.deepEqual(await Promise.all([third, fourth]), ['found c', 'found d']);
    assert.deepEqual(asked.slice(2), [['c', 'd']]);
  });

  it('of one key: after ten seconds, a query that hangs has failed and the next one runs', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let asked = 0;
    const find = shareLookUps(() => {
      asked += 1;
      return asked === 1 ? hung : Promise.resolve('found');
    });
    const first = find('a', 0);
    await setImmediate();
    const second = find('a', 0);
    await setImmediate();
    assert.equal(asked, 1);
    const failed = assert.rejects(first, unavailable);
    context.mock.timers.tick(10_000);
    await failed;
    assert.equal(await second, 'found');
  });
});
