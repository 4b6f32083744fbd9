import { type Origin, ownersOf } from '../../../workers/fair-queue.ts';

/**
 * Bytes that this process parses at a time: in all, of one network, and for one address. Over it, senders get 451 and try
 * again. A quarter of the room is always for others than any one network.
 */
const PARSING_BYTES_MAX = { all: 268_435_456, network: 201_326_592, address: 67_108_864 };

/** More mail waits to be parsed than may. That is no fault: the sender tries again. */
export class ParsingFullError extends Error {
  override readonly name = 'ParsingFullError';

  constructor() {
    super('too much mail waits to be parsed');
  }
}

/**
 * Counts the bytes of the messages that this process is parsing. A message is counted once: the check of its sender holds
 * a copy of it too, and its reader makes one when it leaves the queue.
 */
export class ParsingMemory {
  readonly #byOwner = new Map<string, number>();
  readonly #max: typeof PARSING_BYTES_MAX;
  #all = 0;

  constructor(max = PARSING_BYTES_MAX) {
    this.#max = max;
  }

  /** Whether `bytes` more may be parsed. One sender must not fill the memory or delay the mail of other addresses. */
  fits(origin: Origin, bytes: number): boolean {
    const used = (owner: string): number => this.#byOwner.get(owner) ?? 0;
    const { all, network, address } = this.#max;
    return (
      this.#all + bytes <= all &&
      ownersOf(origin).every((owner) => used(owner) + bytes <= (origin.addresses.includes(owner) ? address : network))
    );
  }

  take(origin: Origin, bytes: number): void {
    this.#all += bytes;
    for (const owner of ownersOf(origin)) {
      const sum = (this.#byOwner.get(owner) ?? 0) + bytes;
      if (sum > 0) this.#byOwner.set(owner, sum);
      else this.#byOwner.delete(owner);
    }
  }

  giveBack(origin: Origin, bytes: number): void {
    this.take(origin, -bytes);
  }
}
