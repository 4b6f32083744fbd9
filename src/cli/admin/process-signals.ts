import { monotonicMs } from '../../base/clock.ts';

/** Under npm one Ctrl-C arrives twice. A second signal within this time counts as the same press. */
const SAME_PRESS_MS = 1000;

/**
 * Resolves with the first SIGTERM or SIGINT. Further signals are ignored, so that a supervisor that repeats them cannot cut
 * the stop short. Only a later second Ctrl-C exits at once.
 */
export function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    let pressedAt = Number.POSITIVE_INFINITY;
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.on('SIGINT', () => {
      if (monotonicMs() - pressedAt > SAME_PRESS_MS) process.exit(130);
      pressedAt = Math.min(pressedAt, monotonicMs());
      resolve('SIGINT');
    });
  });
}
