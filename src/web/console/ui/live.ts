import type { EventStreamOptions } from '../../../client/event-stream.ts';
import type { SignetEvent } from '../../../client/generated/operations.ts';
import type { SignetClient } from '../../../client/signet-client.ts';
import { isUnreachable } from './console-service.ts';
import type { View } from './workspace.ts';

/** A page waits so long for the stream. One that a proxy holds back must not hold the page back too. */
const CONNECT_MS = 500;
/** And so long for the position of the log. */
const POSITION_MS = 2000;

/** However late a stream from here connects, the page need not be read again for it. @returns null if it is not known */
async function latest(service: SignetClient, signal: AbortSignal): Promise<string | null> {
  const once = { timeoutMs: POSITION_MS, retries: 0, signal };
  return service.listEvents({ after: 'latest', limit: 1 }, once).then(
    (page) => page.next_cursor,
    () => null,
  );
}

/** The events of the account that is shown, or of all agents of an operator, as they happen. Nothing is polled. */
export class Live {
  #stop: AbortController | null = null;
  /** Resolves when no event can be missed any more: what is read from then on, and the stream, are all there is. */
  ready: Promise<void> = Promise.resolve();

  /**
   * Follows an account, and no other. @param take called for each event
   * @param connected called whenever a connection is open, with whether events before it may be missing from what was read
   */
  follow(service: SignetClient, take: (event: SignetEvent) => void, connected: (hasGap: boolean) => void): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isWaiting = true;
    let hasGap = false;
    const goOn = (): void => {
      isWaiting = false;
      clearTimeout(held);
      resolve();
    };
    const onConnect = (): void => {
      goOn();
      connected(hasGap);
      hasGap = false;
    };
    const held = setTimeout(async () => {
      const after = await latest(service, signal);
      if (!isWaiting) return;
      if (after === null) hasGap = true;
      else this.#open(service, take, { after, onConnect: () => connected(false) });
      resolve();
    }, CONNECT_MS);
    const signal = this.#open(service, take, { onConnect }, goOn);
    // Who went to another account meanwhile, or signed out, must not get this one's stream.
    signal.addEventListener('abort', goOn, { once: true });
    this.ready = promise;
  }

  /** Follows all agents of an operator. @param take gets the type of each event; null when some may have been missed */
  followAgents(service: SignetClient, take: (type: string | null) => void): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, CONNECT_MS);
    const onConnect = (): void => {
      take(null);
      resolve();
    };
    this.#open(service, ({ type }) => take(type), { ofAgents: true, onConnect }, resolve);
    this.ready = promise;
  }

  #open(
    service: SignetClient,
    take: (event: SignetEvent) => void,
    options: EventStreamOptions,
    failed: () => void = () => {},
  ): AbortSignal {
    this.end();
    const stop = new AbortController();
    this.#stop = stop;
    void (async () => {
      // The stream comes back by itself. What ends it for good also fails the next call, which says so.
      for await (const event of service.events({ ...options, signal: stop.signal })) take(event);
    })().catch(failed);
    return stop.signal;
  }

  end(): void {
    this.#stop?.abort();
    this.#stop = null;
  }
}

/**
 * Hands the events to the page that is shown, one after the other: two of its readings at once could end in the wrong
 * order. While a page is being read, its events wait for it: what was read may be older than they are.
 */
export class Arrivals {
  #waiting: SignetEvent[] = [];
  #view: View | null = null;
  #isRunning = false;
  /** What the page could not read itself for, because the service was out of reach. */
  #missed: SignetEvent[] = [];

  add(event: SignetEvent): void {
    this.#waiting.push(event);
    void this.#run();
  }

  /** Keeps the events until a page has been read. */
  hold(): void {
    this.#view = null;
    this.#missed = [];
  }

  /** Hands over what waited. @param view what is shown now, if anything */
  release(view: View | null): void {
    if (view === null) this.drop();
    this.#view = view;
    void this.#run();
  }

  /** Hands over again what came while the service was out of reach. */
  retry(): void {
    this.#waiting.unshift(...this.#missed.splice(0));
    void this.#run();
  }

  drop(): void {
    [this.#waiting, this.#missed] = [[], []];
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let view = this.#view; view !== null; view = this.#view) {
      const event = this.#waiting.shift();
      if (event === undefined) break;
      try {
        await view.onEvent?.(event);
      } catch (err) {
        // Of any other failure, the next call of the person says what is wrong. A view that came meanwhile read itself.
        if (isUnreachable(err) && this.#view === view) this.#missed.push(event);
      }
    }
    this.#isRunning = false;
  }
}
