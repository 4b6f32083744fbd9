import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which long work may keep others waiting. */
const TURN_MS = 10;

/** Lets others have their turn in work of many steps, some of which may take long. */
export class Turns {
  #since = performance.now();

  /** To be awaited between the steps. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
