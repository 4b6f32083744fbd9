import type { SignetEvent } from '../client/methods.ts';
import type { SignetClient } from '../client/signet-client.ts';

/** The events of the account that is shown, as they happen. Nothing is polled. */
export class Live {
  #stop: AbortController | null = null;

  /** Follows an account, and no other. @param take called for each event */
  follow(service: SignetClient, take: (event: SignetEvent) => void): void {
    this.end();
    const stop = new AbortController();
    this.#stop = stop;
    void (async () => {
      // The stream comes back by itself. What ends it for good also fails the next call, which says so.
      for await (const event of service.events({ signal: stop.signal })) take(event);
    })().catch(() => {});
  }

  end(): void {
    this.#stop?.abort();
    this.#stop = null;
  }
}
