import type { MeterReading } from '../../kernel/meter-reading.ts';
import { nextRateWindow, RATE_WINDOWS, type RateWindow, rateWindowName } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import { addToMeter, readUsed } from './meter-store.ts';

/** The count of one account in one window: `stored` in the database, and `pending` on this instance. */
interface Entry {
  accountId: string;
  window: string;
  endsAt: number;
  stored: number;
  pending: number;
}

/** The most requests that an account may make in each window. */
export interface MeterRule {
  accountId: string;
  window: RateWindow;
  limit: number;
}

/** Returns the quotas of a caller: the one of the day, which a pod shares with its platform, and the pod's own limits. */
export function meterRulesOf(principal: Principal): [MeterRule, ...MeterRule[]] {
  const { accountId, quotaAccountId, limits, rateLimits } = principal;
  const shared: MeterRule = { accountId: quotaAccountId, window: 'day', limit: limits.requests_per_day };
  if (rateLimits === null) return [shared];
  const own = RATE_WINDOWS.flatMap((window) =>
    rateLimits[window] === null ? [] : [{ accountId, window, limit: rateLimits[window] }],
  );
  return [shared, ...own];
}

const ENTRIES_MAX = 50_000;

/** Returns the reading that binds: a refusal before an admission, the longer refusal, or what leaves fewer requests. */
function tighter(a: MeterReading, b: MeterReading): MeterReading {
  if (a.admitted !== b.admitted) return a.admitted ? b : a;
  if (!a.admitted) return b.resetAt > a.resetAt ? b : a;
  return b.remaining < a.remaining ? b : a;
}

/**
 * Counts requests per account and window in memory, and flushes them every second. A crash may lose one second of this
 * count, unlike money and mail (docs/architecture.md, Data). Instances that share a database see each other's count with
 * that delay.
 */
export class RequestMeter {
  readonly #database: Database;
  readonly #entries = new Map<string, Promise<Entry>>();
  /** The latest time of a request. A window that ended before it takes no more. */
  #latest = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts a request under every rule, or under none when one is used up. @returns the reading that leaves the fewest
   * requests; of refusals, the longest
   */
  async take(rules: readonly [MeterRule, ...MeterRule[]], now: number): Promise<MeterReading> {
    const entries = await Promise.all(rules.map((rule) => this.#entryOf(rule, now)));
    // No await from here on, so that no other request comes between the check and the count.
    const admitted = entries.every((entry, i) => entry.stored + entry.pending < (rules[i] as MeterRule).limit);
    const readings = entries.map((entry, i): MeterReading => {
      const { accountId, window, limit } = rules[i] as MeterRule;
      const before = entry.stored + entry.pending;
      if (admitted) entry.pending += 1;
      const used = admitted ? before + 1 : before;
      const remaining = Math.max(0, limit - used);
      return { admitted: before < limit, limit, used, remaining, resetAt: entry.endsAt, window, accountId };
    });
    return readings.reduce(tighter);
  }

  /** Returns the requests of the current UTC day. */
  async used(accountId: string, now: number): Promise<number> {
    const entry = await this.#entryOf({ accountId, window: 'day' }, now);
    return entry.stored + entry.pending;
  }

  /** Writes pending counts and reads the counts of other instances. */
  async flush(): Promise<void> {
    const due = await this.#dueEntries();
    if (due.length === 0) return;
    const sums = await this.#database.transaction(async (tx) => {
      const list: number[] = [];
      for (const { entry, delta } of due) list.push(await addToMeter(tx, entry.accountId, entry.window, delta));
      return list;
    });
    due.forEach(({ entry, delta }, i) => {
      entry.stored = sums[i] as number;
      entry.pending -= delta;
    });
  }

  /** Returns the entries with pending counts, and drops those of windows that have ended. */
  async #dueEntries(): Promise<{ entry: Entry; delta: number }[]> {
    const due: { entry: Entry; delta: number }[] = [];
    for (const [id, loading] of this.#entries) {
      const entry = await loading.catch(() => null);
      if (entry && entry.pending > 0) due.push({ entry, delta: entry.pending });
      else if (entry && (entry.endsAt <= this.#latest || this.#entries.size > ENTRIES_MAX)) this.#entries.delete(id);
    }
    return due;
  }

  /** Loads one entry per account and window, once for all concurrent requests. */
  #entryOf({ accountId, window }: Omit<MeterRule, 'limit'>, now: number): Promise<Entry> {
    const name = rateWindowName(window, now);
    const id = `${accountId} ${name}`;
    const known = this.#entries.get(id);
    if (known) return known;
    const loading = this.#load(accountId, name, nextRateWindow(window, now));
    loading.catch(() => this.#entries.delete(id));
    this.#entries.set(id, loading);
    this.#latest = Math.max(this.#latest, now);
    return loading;
  }

  async #load(accountId: string, window: string, endsAt: number): Promise<Entry> {
    return { accountId, window, endsAt, stored: await readUsed(this.#database, accountId, window), pending: 0 };
  }
}
