import { nextDay, utcDay } from '../../kernel/period.ts';
import type { Database } from '../../kernel/transaction.ts';
import { addToMeter, readUsed } from './meter-store.ts';

/** Today's count of one account: what the database knows, and what this instance has yet to tell it. */
interface Entry {
  accountId: string;
  day: string;
  stored: number;
  pending: number;
}

export interface Reading {
  admitted: boolean;
  limit: number;
  remaining: number;
  used: number;
  resetAt: number;
}

export interface RequestMeter {
  /** Counts a request, unless the day's limit is used up. */
  take(accountId: string, limit: number, now: number): Promise<Reading>;
  /** Requests of the current UTC day. */
  used(accountId: string, now: number): Promise<number>;
  /** Writes what is pending and learns what other instances wrote. */
  flush(): Promise<void>;
}

const ENTRIES_MAX = 50_000;

/**
 * Requests per account and UTC day, counted in memory and flushed each second: metering alone may lose a second to a
 * crash; money and mail never do (architecture.md, Data).
 */
export function createRequestMeter(database: Database): RequestMeter {
  const entries = new Map<string, Promise<Entry>>();
  let today = '';

  async function load(accountId: string, day: string): Promise<Entry> {
    return { accountId, day, stored: await readUsed(database, accountId, day), pending: 0 };
  }

  /** One entry an account and day, made once however many requests ask at the same time. */
  function entryOf(accountId: string, now: number): Promise<Entry> {
    const day = utcDay(now);
    const id = `${accountId} ${day}`;
    let loading = entries.get(id);
    if (!loading) {
      loading = load(accountId, day);
      loading.catch(() => entries.delete(id));
      entries.set(id, loading);
      today = day;
    }
    return loading;
  }

  async function flush(): Promise<void> {
    const due: [string, Entry, number][] = [];
    for (const [id, loading] of entries) {
      const entry = await loading.catch(() => null);
      if (entry && entry.pending > 0) due.push([entry.accountId, entry, entry.pending]);
      else if (entry && (entry.day !== today || entries.size > ENTRIES_MAX)) entries.delete(id);
    }
    if (due.length === 0) return;
    const sums = await database.transaction(async (tx) => {
      const list: number[] = [];
      for (const [accountId, entry, delta] of due) list.push(await addToMeter(tx, accountId, entry.day, delta));
      return list;
    });
    due.forEach(([, entry, delta], i) => {
      entry.stored = sums[i] as number;
      entry.pending -= delta;
    });
  }

  return {
    take: async (accountId, limit, now) => {
      const entry = await entryOf(accountId, now);
      const before = entry.stored + entry.pending;
      const admitted = before < limit;
      if (admitted) entry.pending += 1;
      const used = admitted ? before + 1 : before;
      return { admitted, limit, used, remaining: Math.max(0, limit - used), resetAt: nextDay(now) };
    },
    used: async (accountId, now) => {
      const entry = await entryOf(accountId, now);
      return entry.stored + entry.pending;
    },
    flush,
  };
}
