import type { EventStreamOptions } from '../client/event-stream.ts';
import type { SignetEvent } from '../client/methods.ts';
import type { SignetClient } from '../client/signet-client.ts';

/** The events of the account that is shown, or of all agents of an operator, as they happen. Nothing is polled. */
export class Live {
  #stop: AbortController | null = null;

  /** Follows an account, and no other. @param take called for each event */
  follow(service: SignetClient, take: (event: SignetEvent) => void, options: EventStreamOptions = {}): void {
    this.end();
    const stop = new AbortController();
    this.#stop = stop;
    void (async () => {
      // The stream comes back by itself. What ends it for good also fails the next call, which says so.
      for await (const event of service.events({ ...options, signal: stop.signal })) take(event);
    })().catch(() => {});
  }

  /** Follows all agents of an operator. @param take gets the type of each event; null when some may have been missed */
  followAgents(service: SignetClient, take: (type: string | null) => void): void {
    this.follow(service, ({ type }) => take(type), { ofAgents: true, onConnect: () => take(null) });
  }

  end(): void {
    this.#stop?.abort();
    this.#stop = null;
  }
}
