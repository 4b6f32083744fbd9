import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { withGrace, within, withTimeout } from './deadline.ts';

const late = new Error('late');
const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('time limits', () => {
  it('abort the work after the time, with the given reason', async () => {
    assert.equal(await withTimeout({ ms: 5, late }, aborted), late);
  });

  it('abort the work with another signal and its reason, also if that is aborted already', async () => {
    const controller = new AbortController();
    const work = withTimeout({ ms: 60_000, late, signal: controller.signal }, aborted);
    controller.abort('stop');
    assert.equal(await work, 'stop');
    const reason = await withTimeout({ ms: 60_000, late, signal: controller.signal }, async ({ reason }) => reason);
    assert.equal(reason, 'stop');
  });

  it('give the work some time after another signal', async () => {
    const controller = new AbortController();
    const work = withGrace({ ms: 5, late, signal: controller.signal }, aborted);
    controller.abort('stop');
    assert.equal(await work, late);
    assert.equal(await withGrace({ ms: 60_000, late }, async ({ aborted }) => aborted), false);
  });

  it('give another result when the work takes too long, and reject as the work does', async () => {
    assert.equal(await within(5, new Promise(() => {}), () => 'late'), 'late');
    assert.equal(await within(60_000, Promise.resolve('done'), () => 'late'), 'done');
    await assert.rejects(
      within(60_000, Promise.reject(late), () => 'late'),
      late,
    );
    await assert.rejects(
      within(5, new Promise(() => {}), () => {
        throw late;
      }),
      late,
    );
  });

  it('leave no timer and no listener behind, whether the work succeeds or fails', async () => {
    const before = timers();
    const { signal } = new AbortController();
    for (const run of [withTimeout, withGrace]) {
      await run({ ms: 60_000, late, signal }, async () => {});
      await assert.rejects(
        run({ ms: 60_000, late, signal }, () => Promise.reject(late)),
        late,
      );
    }
    await within(60_000, Promise.resolve(), () => {});
    await within(60_000, Promise.reject(late), () => {}).catch(() => {});
    assert.deepEqual([timers(), getEventListeners(signal, 'abort').length], [before, 0]);
  });
});
