import { within } from '../../../base/deadline.ts';

/** Mail that was accepted and is not parsed yet. */
export interface PendingParses {
  /** Records that this process parses mail for these addresses until `work` ends. */
  track(addresses: readonly string[], work: Promise<void>): void;
  /** Waits up to 5 seconds until the mail that this process accepted for the address is visible. @returns false if there is none to wait for */
  whenParsed(address: string): Promise<boolean>;
  /** Waits until this process parses nothing. */
  idle(): Promise<void>;
}

const SETTLE_MS = 5000;

export function createArrivals(settleMs = SETTLE_MS): PendingParses {
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
    whenParsed: async (address) => {
      // Never for another instance: it may be gone, and its work taken over much later.
      const works = parsing.get(address);
      if (works) await within(settleMs, Promise.all(works), () => []);
      return works !== undefined;
    },
    idle: async () => {
      while (parsing.size > 0) await Promise.all([...parsing.values()].flatMap((works) => [...works]));
    },
  };
}
