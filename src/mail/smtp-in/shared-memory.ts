import { monotonicMs } from '../../base/clock.ts';

/** What is on its way for longer gives way to anyone. */
const LONG_MS = 60_000;

/**
 * Memory that all sessions share for what is on its way. When it is used up, a session of the owner that holds most goes, so
 * that owners with less are not kept out: not by one with many sessions, and not by many that are slow.
 */
export class SharedMemory {
  #free: number;
  readonly #longMs: number;
  /** The first has held some longest. */
  readonly #holders = new Set<MemoryShare>();

  constructor(bytesMax: number, longMs = LONG_MS) {
    this.#free = bytesMax;
    this.#longMs = longMs;
  }

  /** @param owner whose share it is @param evict ends the session that has it, called at most once */
  share(owner: string, evict: () => void): MemoryShare {
    return new MemoryShare(this, owner, evict);
  }

  take(share: MemoryShare, bytes: number): boolean {
    while (this.#free < bytes) {
      const victim = this.#victimFor(share);
      if (victim === null) return false;
      victim.evict();
    }
    this.#free -= bytes;
    this.#holders.add(share);
    return true;
  }

  give(share: MemoryShare, bytes: number): void {
    this.#free += bytes;
    if (share.bytes === bytes) this.#holders.delete(share);
  }

  /** The oldest of the owner that holds most, if that is more than the one who asks; else one that took long. */
  #victimFor(asking: MemoryShare): MemoryShare | null {
    const held = new Map<string, number>();
    for (const { owner, bytes } of this.#holders) held.set(owner, (held.get(owner) ?? 0) + bytes);
    const heldBy = ({ owner }: MemoryShare): number => held.get(owner) ?? 0;
    const waiting = [...this.#holders].filter((holder) => !holder.isAtWork && holder !== asking);
    const most = Math.max(heldBy(asking), ...held.values());
    const greedy = most > heldBy(asking) ? waiting.find((holder) => heldBy(holder) === most) : undefined;
    return greedy ?? waiting.find(({ since }) => monotonicMs() - since > this.#longMs) ?? null;
  }
}

/** What one session holds of the shared memory. */
export class MemoryShare {
  owner: string;
  bytes = 0;
  /** When it began to hold some. In milliseconds of the monotonic clock. */
  since = 0;
  /** What arrived is whole, and is being stored. */
  isAtWork = false;
  readonly #shared: SharedMemory;
  readonly #evict: () => void;
  #evicted = false;

  constructor(shared: SharedMemory, owner: string, evict: () => void) {
    this.#shared = shared;
    this.owner = owner;
    this.#evict = evict;
  }

  evict(): void {
    this.#evicted = true;
    this.give(this.bytes);
    this.#evict();
  }

  /** Does something with what arrived. What is held is needed until that is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.isAtWork = true;
    try {
      return await work();
    } finally {
      this.isAtWork = false;
    }
  }

  take(bytes: number): boolean {
    if (this.#evicted || !this.#shared.take(this, bytes)) return false;
    if (this.bytes === 0) this.since = monotonicMs();
    this.bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    // After an eviction nothing is left to give.
    const given = Math.min(bytes, this.bytes);
    if (given === 0) return;
    this.#shared.give(this, given);
    this.bytes -= given;
  }
}
