import { within } from '../../kernel/deadline.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { hasHidden } from './message-store.ts';

/** Mail that was accepted and is not parsed yet. */
export interface Arrivals {
  /** Records that this process parses mail for these addresses until `work` ends. */
  track(addresses: readonly string[], work: Promise<void>): void;
  /** Waits up to 5 seconds until the mail that was accepted for the address is visible. */
  settled(address: string): Promise<void>;
  /** Waits until this process parses nothing. */
  idle(): Promise<void>;
}

const SETTLE_MS = 5000;
const POLL_MS = 25;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

export function createArrivals(reader: Reader): Arrivals {
  /** What this process parses, by address. */
  const parsing = new Map<string, Set<Promise<void>>>();

  const forget = (address: string, work: Promise<void>): void => {
    const works = parsing.get(address);
    works?.delete(work);
    if (works?.size === 0) parsing.delete(address);
  };

  return {
    track: (addresses, work) => {
      for (const address of addresses) parsing.set(address, (parsing.get(address) ?? new Set()).add(work));
      void work.finally(() => {
        for (const address of addresses) forget(address, work);
      });
    },
    settled: async (address) => {
      let isLate = false;
      const settle = async (): Promise<void> => {
        await Promise.all(parsing.get(address) ?? []);
        // Another instance may be parsing mail for it.
        while (!isLate && (await hasHidden(reader, address))) await sleep(POLL_MS);
      };
      await within(SETTLE_MS, settle(), () => {
        isLate = true;
      });
    },
    idle: async () => {
      while (parsing.size > 0) await Promise.all([...parsing.values()].flatMap((works) => [...works]));
    },
  };
}
