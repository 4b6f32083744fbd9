/** Counts the open streams of each account on this instance. */
export interface StreamSlots {
  /** @returns what gives the slot back (calling it twice changes nothing), or null when `limit` are taken */
  take(accountId: string, limit: number): (() => void) | null;
  /** How many an account has open. */
  used(accountId: string): number;
}

export function createStreamSlots(): StreamSlots {
  const taken = new Map<string, number>();
  return {
    used: (accountId) => taken.get(accountId) ?? 0,
    take: (accountId, limit) => {
      const count = taken.get(accountId) ?? 0;
      if (count >= limit) return null;
      taken.set(accountId, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (taken.get(accountId) ?? 1) - 1;
        if (left === 0) taken.delete(accountId);
        else taken.set(accountId, left);
      };
    },
  };
}
