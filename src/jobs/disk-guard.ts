import { statfs } from 'node:fs/promises';
import type { Log } from '../base/log.ts';

export interface DiskGuardOptions {
  folder: string;
  /** Bytes below which nothing more is stored; 0: never. */
  freeMinBytes: number;
  freeBytes?: ((folder: string) => Promise<number>) | undefined;
  log: Log;
}

/** Space that must be free again, beyond the minimum, before the service stores anything. */
const HYSTERESIS = 1.1;

const freeOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Watches the disk, so that the service stops taking what is new while it can still delete. A full disk would fail in the
 * middle of whatever is written next, and SQLite needs space even to delete.
 */
export class DiskGuard {
  readonly #options: DiskGuardOptions;
  #isLow = false;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
  }

  /** Whether too little was free at the last look. */
  get isLow(): boolean {
    return this.#isLow;
  }

  /** Looks at the disk. A folder that cannot be asked counts as before. */
  async look(): Promise<void> {
    const { folder, freeMinBytes, freeBytes = freeOf, log } = this.#options;
    if (freeMinBytes === 0) return;
    const free = await freeBytes(folder);
    const isLow = free < (this.#isLow ? freeMinBytes * HYSTERESIS : freeMinBytes);
    if (isLow !== this.#isLow)
      log.warn(
        { folder, freeBytes: free, freeMinBytes },
        isLow ? 'the disk is almost full' : 'the disk has space again',
      );
    this.#isLow = isLow;
  }
}
