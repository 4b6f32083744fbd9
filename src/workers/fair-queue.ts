/** Whose work a task is. */
export interface Origin {
  /** The network that a mail came from; '' when it is not known. */
  network: string;
  /** The addresses that it is for. */
  addresses: readonly string[];
}

interface Entry<T> {
  item: T;
  origin: Origin;
}

/** Spent times that are remembered. Beyond it, those of the least are forgotten. */
const REMEMBERED_MAX = 10_000;

/** Tasks that share one of these are of one origin: a sender may have many addresses to write to, or many networks. */
export const ownersOf = ({ network, addresses }: Origin): string[] =>
  network === '' ? [...addresses] : [`network ${network}`, ...addresses];
/** The tasks of one lane stay in order. */
const laneOf = ({ network, addresses }: Origin): string => `${network} ${addresses[0] ?? ''}`;

/**
 * A queue that serves the origin that has cost the least time so far: the sum of what the network and the address of a
 * task have spent. One sender, or all senders of one address, then delay the others by the task that runs, and not by all that
 * they have queued. It is start-time fair queueing (Goyal, Vin, Cheng 1996) over two owners.
 */
export class FairQueue<T> {
  readonly #lanes = new Map<string, Entry<T>[]>();
  /** Milliseconds that each owner has spent. */
  readonly #spent = new Map<string, number>();
  /** Where a new origin starts. Idle time earns no credit. */
  #floor = 0;

  push(item: T, origin: Origin): void {
    const lane = this.#lanes.get(laneOf(origin));
    if (lane) lane.push({ item, origin });
    else this.#lanes.set(laneOf(origin), [{ item, origin }]);
  }

  /** Puts back what was taken and not worked on. */
  unshift(item: T, origin: Origin): void {
    this.#lanes.set(laneOf(origin), [{ item, origin }, ...(this.#lanes.get(laneOf(origin)) ?? [])]);
  }

  /** Takes the next task. `mayRun`: a lane whose first task it refuses is passed over. */
  take(mayRun: (item: T) => boolean): T | undefined {
    const best = this.#best(mayRun);
    if (!best) return undefined;
    const [name, lane] = best;
    const { item, origin } = lane.shift() as Entry<T>;
    if (lane.length === 0) this.#lanes.delete(name);
    this.#floor = Math.max(this.#floor, this.#costOf(origin) / 2);
    // Time used while the queue is empty is not charged.
    if (this.#lanes.size === 0) {
      this.#spent.clear();
      this.#floor = 0;
    }
    // Until its real cost is known.
    this.spend(origin, 1);
    return item;
  }

  /** Counts what a task of an origin took. */
  spend(origin: Origin, ms: number): void {
    for (const owner of ownersOf(origin)) this.#spent.set(owner, this.#spentBy(owner) + ms);
    if (this.#spent.size > REMEMBERED_MAX) this.#forget();
  }

  /** Removes and returns everything. */
  clear(): T[] {
    const items = [...this.#lanes.values()].flatMap((lane) => lane.map(({ item }) => item));
    this.#lanes.clear();
    return items;
  }

  #best(mayRun: (item: T) => boolean): [string, Entry<T>[]] | null {
    let best: [string, Entry<T>[]] | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const lane of this.#lanes) {
      const { item, origin } = lane[1][0] as Entry<T>;
      const cost = this.#costOf(origin);
      if (cost >= least || !mayRun(item)) continue;
      best = lane;
      least = cost;
    }
    return best;
  }

  /** What the network and the costliest address of a task have spent. */
  #costOf({ network, addresses }: Origin): number {
    const ofNetwork = network === '' ? this.#floor : this.#spentBy(`network ${network}`);
    return ofNetwork + Math.max(0, ...addresses.map((owner) => this.#spentBy(owner)));
  }

  #spentBy(owner: string): number {
    return Math.max(this.#floor, this.#spent.get(owner) ?? 0);
  }

  #forget(): void {
    const sorted = [...this.#spent].sort(([, a], [, b]) => a - b);
    for (const [owner] of sorted.slice(0, REMEMBERED_MAX / 2)) this.#spent.delete(owner);
  }
}
