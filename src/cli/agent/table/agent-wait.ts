import { monotonicMs } from '../../../base/clock.ts';
import type { SignetClient } from '../../../client/signet-client.ts';

/** How long a command waits for a person, unless told. */
export const PERSON_SECONDS = 300;
const SECONDS_A_CALL = 60;
const MARGIN_SECONDS = 15;

/**
 * Waits until something is no longer pending, with one call a minute.
 * @param types the events that tell of it
 * @returns what `look` found last, still pending after the time
 */
export async function whenSettled<Thing extends { status: string }>(
  client: SignetClient,
  types: string,
  seconds: number,
  look: () => Promise<Thing>,
): Promise<Thing> {
  const end = monotonicMs() + seconds * 1000;
  const { events } = await client.listEvents({ order: 'desc', limit: 1 });
  let after = events[0]?.id;
  for (;;) {
    const found = await look();
    const left = Math.ceil((end - monotonicMs()) / 1000);
    if (found.status !== 'pending' || left <= 0) return found;
    const wait = Math.min(SECONDS_A_CALL, left);
    const happened = await client.listEvents(
      { after, type: types, wait },
      { timeoutMs: (wait + MARGIN_SECONDS) * 1000 },
    );
    after = happened.events.at(-1)?.id ?? after;
  }
}
