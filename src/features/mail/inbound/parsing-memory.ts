/** Bytes that this process parses at a time, in all and per address. Over it, senders get 451 and try again. */
const PARSING_BYTES_MAX = { all: 268_435_456, address: 67_108_864 };

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
  readonly #byAddress = new Map<string, number>();
  readonly #max: typeof PARSING_BYTES_MAX;
  #all = 0;

  constructor(max = PARSING_BYTES_MAX) {
    this.#max = max;
  }

  /** Whether `bytes` more may be parsed. One sender must not fill the memory or delay the mail of other addresses. */
  fits(addresses: readonly string[], bytes: number): boolean {
    const fits = (address: string): boolean => (this.#byAddress.get(address) ?? 0) + bytes <= this.#max.address;
    return this.#all + bytes <= this.#max.all && addresses.every(fits);
  }

  take(addresses: readonly string[], bytes: number): void {
    this.#all += bytes;
    for (const address of addresses) {
      const sum = (this.#byAddress.get(address) ?? 0) + bytes;
      if (sum > 0) this.#byAddress.set(address, sum);
      else this.#byAddress.delete(address);
    }
  }

  giveBack(addresses: readonly string[], bytes: number): void {
    this.take(addresses, -bytes);
  }
}
