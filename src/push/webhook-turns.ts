/** A turn at a receiver: granted until `done`, or where to come back. */
export type Turn =
  | { granted: true; done(end: { durationMs: number; hung: boolean }): void }
  | { granted: false; runAt: number };

export interface Turns {
  take(key: string, now: number): Turn;
}

interface Receiver {
  running: number;
  hung: boolean;
  /** How long the last attempt took. */
  lastMs: number;
  /** When the last of those sent away comes back. */
  lastRunAt: number;
}

/** Attempts at one receiver at a time, and at one that did not answer in time. */
const AT_A_TIME = 4;
const AT_A_TIME_HUNG = 1;
/** Before the first answer. */
const GUESS_MS = 100;
/** Receivers remembered; a forgotten one is merely unknown again. */
const REMEMBERED_MAX = 10_000;

/**
 * Keeps one receiver from taking all the slots. Who finds no room is told when there is likely to be some: behind those
 * sent away before, spaced by how fast the receiver answers, so that a thousand waiting jobs do not come back at once.
 */
export function createTurns(): Turns {
  const receivers = new Map<string, Receiver>();

  function forgetIdle(): void {
    for (const [key, { running }] of receivers) {
      if (receivers.size <= REMEMBERED_MAX) return;
      if (running === 0) receivers.delete(key);
    }
  }

  return {
    take: (key, now) => {
      const receiver = receivers.get(key) ?? { running: 0, hung: false, lastMs: GUESS_MS, lastRunAt: 0 };
      const room = receiver.hung ? AT_A_TIME_HUNG : AT_A_TIME;
      if (receiver.running >= room) {
        receiver.lastRunAt = Math.ceil(Math.max(now, receiver.lastRunAt) + receiver.lastMs / room);
        return { granted: false, runAt: receiver.lastRunAt };
      }
      receiver.running += 1;
      receivers.set(key, receiver);
      forgetIdle();
      return {
        granted: true,
        done: ({ durationMs, hung }) => {
          receiver.running -= 1;
          receiver.hung = hung;
          receiver.lastMs = Math.max(1, durationMs);
        },
      };
    },
  };
}
