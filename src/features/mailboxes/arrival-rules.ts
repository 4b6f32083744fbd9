import type { Reader } from '../../kernel/transaction.ts';
import { hasHidden } from './message-store.ts';

/** Mail that was accepted and is not parsed yet. */
export interface Arrivals {
  /** Notes that this process parses mail for these addresses until `work` ends. */
  track(addresses: readonly string[], work: Promise<void>): void;
  /** Waits, a few seconds at most, until what was accepted for the address can be seen. */
  settled(address: string): Promise<void>;
  /** Waits for what this process parses. */
  idle(): Promise<void>;
}

const SETTLE_MS = 5000;
const POLL_MS = 25;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

export function createArrivals(reader: Reader): Arrivals {
  /** What this process is parsing, by address. */
  const parsing = new Map<string, Set<Promise<void>>>();

  return {
    track: (addresses, work) => {
      for (const address of addresses) {
        const set = parsing.get(address) ?? new Set();
        parsing.set(address, set.add(work));
      }
      void work.finally(() => {
        for (const address of addresses) {
          const set = parsing.get(address);
          set?.delete(work);
          if (set?.size === 0) parsing.delete(address);
        }
      });
    },
    settled: async (address) => {
      let isOver = false;
      const deadline = sleep(SETTLE_MS).then(() => {
        isOver = true;
      });
      const local = parsing.get(address);
      if (local) await Promise.race([Promise.all(local), deadline]);
      // Another instance may be parsing it.
      while (!isOver && (await hasHidden(reader, address))) await sleep(POLL_MS);
    },
    idle: async () => {
      while (parsing.size > 0) await Promise.all([...parsing.values()].flatMap((set) => [...set]));
    },
  };
}
