import { ReceiveBudget } from '../smtp-in/smtp-data-stream.ts';

/** Memory that all sessions share for what is on its way. When it is used up, the session goes that has held some of it longest. */
export class SharedMemory {
  #free: number;
  /** The first has held it longest. */
  readonly #holders = new Set<MemoryShare>();

  constructor(bytesMax: number) {
    this.#free = bytesMax;
  }

  /** @param evict ends the session that has this share, and gives all of it back */
  share(evict: () => void): MemoryShare {
    return new MemoryShare(this, evict);
  }

  take(share: MemoryShare, bytes: number): boolean {
    while (this.#free < bytes) {
      const [oldest] = this.#holders;
      if (oldest === undefined || oldest === share) return false;
      oldest.evict();
      this.give(oldest, oldest.bytes);
      oldest.bytes = 0;
    }
    this.#free -= bytes;
    this.#holders.add(share);
    return true;
  }

  give(share: MemoryShare, bytes: number): void {
    this.#free += bytes;
    if (share.bytes - bytes <= 0) this.#holders.delete(share);
  }
}

/** What one session holds of the shared memory. */
export class MemoryShare extends ReceiveBudget {
  bytes = 0;
  readonly #shared: SharedMemory;
  readonly #evict: () => void;
  #evicted = false;

  constructor(shared: SharedMemory, evict: () => void) {
    super(0);
    this.#shared = shared;
    this.#evict = evict;
  }

  evict(): void {
    this.#evicted = true;
    this.#evict();
  }

  override take(bytes: number): boolean {
    if (this.#evicted || !this.#shared.take(this, bytes)) return false;
    this.bytes += bytes;
    return true;
  }

  override give(bytes: number): void {
    // After an eviction nothing is left to give.
    const given = Math.min(bytes, this.bytes);
    if (given === 0) return;
    this.#shared.give(this, given);
    this.bytes -= given;
  }
}
