import type { Limits } from '../../kernel/limits.ts';
import { nextRateWindow, RATE_WINDOWS, type RateWindow, rateWindowName } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import { addToMeter, readUsed } from './meter-store.ts';

/** The count of one account in one window: what the database knows, and what this instance has yet to tell it. */
interface Entry {
  accountId: string;
  window: string;
  endsAt: number;
  stored: number;
  pending: number;
}

/** At most so many requests of an account in each window. */
export interface MeterRule {
  accountId: string;
  window: RateWindow;
  limit: number;
}

export interface Reading {
  admitted: boolean;
  limit: number;
  remaining: number;
  used: number;
  resetAt: number;
  window: RateWindow;
  accountId: string;
}

export interface RequestMeter {
  /**
   * Counts a request under every rule, or under none where one is used up. @returns the rule that leaves the least, or
   * of those that refuse the one that refuses longest
   */
  take(rules: readonly [MeterRule, ...MeterRule[]], now: number): Promise<Reading>;
  /** Requests of the current UTC day. */
  used(accountId: string, now: number): Promise<number>;
  /** Writes what is pending and learns what other instances wrote. */
  flush(): Promise<void>;
}

/** The day's quota, which a pod shares with its platform, and what the platform allows the pod. */
export function meterRulesOf(principal: Principal, limits: Limits): [MeterRule, ...MeterRule[]] {
  const { accountId, quotaAccountId, tier, rateLimits } = principal;
  const shared: MeterRule = { accountId: quotaAccountId, window: 'day', limit: limits[tier].requests_per_day };
  if (rateLimits === null) return [shared];
  const own = RATE_WINDOWS.flatMap((window) =>
    rateLimits[window] === null ? [] : [{ accountId, window, limit: rateLimits[window] }],
  );
  return [shared, ...own];
}

const ENTRIES_MAX = 50_000;

/** Of two readings the one that says more: a refusal before an admission, the longer one; else what leaves less. */
function tighter(a: Reading, b: Reading): Reading {
  if (a.admitted !== b.admitted) return a.admitted ? b : a;
  if (!a.admitted) return b.resetAt > a.resetAt ? b : a;
  return b.remaining < a.remaining ? b : a;
}

/**
 * Requests per account and window, counted in memory and flushed each second: metering alone may lose a second to a
 * crash; money and mail never do (docs/architecture.md, Data). Several instances over one database see each other's count
 * with that delay.
 */
export function createRequestMeter(database: Database): RequestMeter {
  const entries = new Map<string, Promise<Entry>>();
  /** The latest time anybody asked: what ended before it takes no more. */
  let latest = 0;

  async function load(accountId: string, window: string, endsAt: number): Promise<Entry> {
    return { accountId, window, endsAt, stored: await readUsed(database, accountId, window), pending: 0 };
  }

  /** One entry an account and window, made once however many requests ask at the same time. */
  function entryOf({ accountId, window }: Omit<MeterRule, 'limit'>, now: number): Promise<Entry> {
    const name = rateWindowName(window, now);
    const id = `${accountId} ${name}`;
    let loading = entries.get(id);
    if (!loading) {
      loading = load(accountId, name, nextRateWindow(window, now));
      loading.catch(() => entries.delete(id));
      entries.set(id, loading);
      latest = Math.max(latest, now);
    }
    return loading;
  }

  async function flush(): Promise<void> {
    const due: [Entry, number][] = [];
    for (const [id, loading] of entries) {
      const entry = await loading.catch(() => null);
      if (entry && entry.pending > 0) due.push([entry, entry.pending]);
      else if (entry && (entry.endsAt <= latest || entries.size > ENTRIES_MAX)) entries.delete(id);
    }
    if (due.length === 0) return;
    const sums = await database.transaction(async (tx) => {
      const list: number[] = [];
      for (const [{ accountId, window }, delta] of due) list.push(await addToMeter(tx, accountId, window, delta));
      return list;
    });
    due.forEach(([entry, delta], i) => {
      entry.stored = sums[i] as number;
      entry.pending -= delta;
    });
  }

  return {
    take: async (rules, now) => {
      const held = await Promise.all(rules.map((rule) => entryOf(rule, now)));
      // Nothing is awaited from here on: no other request gets between the look and the count.
      const admitted = held.every((entry, i) => entry.stored + entry.pending < (rules[i] as MeterRule).limit);
      const readings = held.map((entry, i): Reading => {
        const { accountId, window, limit } = rules[i] as MeterRule;
        const before = entry.stored + entry.pending;
        if (admitted) entry.pending += 1;
        const used = admitted ? before + 1 : before;
        const remaining = Math.max(0, limit - used);
        return { admitted: before < limit, limit, used, remaining, resetAt: entry.endsAt, window, accountId };
      });
      return readings.reduce(tighter);
    },
    used: async (accountId, now) => {
      const entry = await entryOf({ accountId, window: 'day' }, now);
      return entry.stored + entry.pending;
    },
    flush,
  };
}
