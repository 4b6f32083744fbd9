import type { Limits, RefusingLimit } from '../../../api/limits.ts';
import { CALL_BUCKETS, type CallBucket, replacesKey } from '../../../api/metering/call-bucket.ts';
import type { MeterReading } from '../../../api/metering/meter-reading.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Reader } from '../../../api/transaction.ts';
import { type Awaitable, onceThere } from '../../../base/lazy.ts';
import {
  dayStart,
  nextRateWindow,
  RATE_WINDOWS,
  type RateWindow,
  rateWindowStart,
  utcDay,
} from '../../../base/period.ts';
import { hashSecret } from '../../../base/secret.ts';
import { usageStart } from './email-quota.ts';
import { addToCounters, type CounterKey, readCounter, readDays, readLastPeriods } from './quota-counter-store.ts';

/** One count in one window: `stored` in the database, and `pending` on this instance. */
interface Entry {
  key: CounterKey;
  endsAt: number;
  stored: number;
  pending: number;
}

/** The most requests in each window of one count. */
interface MeterRule {
  /** The id of an account, of a named key, or of a credential in a bucket. */
  countId: string;
  name: RefusingLimit;
  owner: MeterReading['owner'];
  window: RateWindow;
  limit: number;
}

export type MeterRules = [MeterRule, ...MeterRule[]];

/** What the named keys, access tokens and clients of an account never use of its day: a fifth, at least 10. */
const keptForOwner = (perDay: number): number => Math.max(10, Math.ceil(perDay / 5));

/** The quotas that bind a caller with less than the whole account, beside those of its day. */
function sharedRulesOf({ scopes, namedKeyId, requestsShare, quotaAccountId, limits }: Principal): MeterRule[] {
  if (scopes === null) return [];
  const limit = Math.max(0, limits.requests_per_day - keptForOwner(limits.requests_per_day));
  const name = 'requests_per_day_shared';
  const shared: MeterRule = { countId: quotaAccountId, name, owner: 'shared', window: 'day', limit };
  if (namedKeyId === null || requestsShare === null) return [shared];
  const ofKey = Math.ceil((limit * requestsShare) / 100);
  return [shared, { countId: namedKeyId, name: 'requests_share', owner: 'key', window: 'day', limit: ofKey }];
}

/**
 * Returns the quotas of a caller. An operator, and a person with a confirmed address, has a personal one, over all
 * accounts: neither spends the other's, so an agent at its limit cannot keep its operator out. Otherwise it is the one
 * of the day, which a pod shares with its platform, and the pod's own limits. A credential for less than the whole account
 * leaves its owner a part of the day: a delegate too, whose calls count for the account that delegated.
 */
export function meterRulesOf(principal: Principal, perPerson: number): MeterRules {
  const { quotaPerson, accountId, quotaAccountId, limits, rateLimits } = principal;
  if (quotaPerson !== null) {
    const name = 'requests_per_person_per_day';
    // Hashed, because counts are kept without regard to who may read the address.
    return [{ countId: `person:${hashSecret(quotaPerson)}`, name, owner: 'person', window: 'day', limit: perPerson }];
  }
  const ofDay: MeterRule = {
    countId: quotaAccountId,
    name: 'requests_per_day',
    owner: 'account',
    window: 'day',
    limit: limits.requests_per_day,
  };
  const shared = sharedRulesOf(principal);
  if (rateLimits === null) return [ofDay, ...shared];
  const own = RATE_WINDOWS.flatMap((window): MeterRule[] => {
    const limit = rateLimits[window];
    return limit === null ? [] : [{ countId: accountId, name: `requests_per_${window}`, owner: 'pod', window, limit }];
  });
  return [ofDay, ...own, ...shared];
}

/**
 * Returns the only quota of a call with a bucket: the hour's, of its credential. So neither other calls nor other
 * credentials of the account, its pods or its platform can use it up. `rotate`, `secure` and `activate` count a key together with
 * the keys that it replaced, because each rotation makes a new credential. A key ends with its rotation, so a line of
 * keys may be rotated as often as access may be revoked, and only the sessions of an address are held to a few.
 */
export function bucketRuleOf(principal: Principal, bucket: CallBucket, limits: Limits): MeterRule {
  const isOwnRotation = replacesKey(bucket) && principal.keyHash !== null;
  const name = isOwnRotation ? CALL_BUCKETS.revoke : CALL_BUCKETS[bucket];
  const isByLineage = replacesKey(bucket) || bucket === 'activate';
  // A mailbox opens one session after another, so the sessions of an address count together. Not where they end access:
  // there a stolen session would stop the owner's own.
  const isByAddress = isByLineage && principal.person !== null;
  // A delegate gets a new token every few minutes, and no new bucket with it.
  const own = principal.delegation?.id ?? principal.grant?.id ?? principal.keyHash ?? principal.sessionHash;
  const ofCredential = isByLineage ? principal.lineage : own;
  const credential = isByAddress ? `${principal.accountId}:${principal.person}` : ofCredential;
  return { countId: `${bucket}:${credential}`, name, owner: 'credential', window: 'hour', limit: limits[name] };
}

/** Returns the only quota of a read by a console session. It is the console's, so a person never spends an agent's requests. */
export const consoleRuleOf = ({ accountId }: Principal, { console_requests_per_day: limit }: Limits): MeterRule => ({
  countId: accountId,
  name: 'console_requests_per_day',
  owner: 'console',
  window: 'day',
  limit,
});

const ENTRIES_MAX = 50_000;
/** The counts of one transaction of a flush. On SQLite, requests wait for one. */
const FLUSHED_TOGETHER = 200;

/** The count of an account that it sees. */
const DAILY = 'requests_per_day';

/** Counts beside the account's own have other names, because they are not kept as long. */
const METRICS: Partial<Record<MeterReading['owner'], string>> = {
  person: 'requests_per_person_per_day',
  shared: 'requests_per_day_shared',
  key: 'requests_share',
  console: 'console_requests_per_day',
};
const metricOf = ({ owner, window }: Pick<MeterRule, 'owner' | 'window'>): string =>
  METRICS[owner] ?? `requests_per_${window}`;

/** Identifies a count in a window. */
const idOf = ({ accountId, metric, periodStart }: CounterKey): string => `${accountId} ${metric} ${periodStart}`;

/** Returns the reading that binds: a refusal before an admission, the longer refusal, or what leaves fewer requests. */
function tighter(a: MeterReading, b: MeterReading): MeterReading {
  if (a.admitted !== b.admitted) return a.admitted ? b : a;
  if (!a.admitted) return b.resetAt > a.resetAt ? b : a;
  return b.remaining < a.remaining ? b : a;
}

/** Counts a request in all entries, or in none. Without a wait: no other request comes between the check and the count. */
function countIn(entries: readonly Entry[], rules: Readonly<MeterRules>): MeterReading {
  const admitted = entries.every((entry, i) => entry.stored + entry.pending < (rules[i] as MeterRule).limit);
  const readings = entries.map((entry, i): MeterReading => {
    const { name, owner, window, limit } = rules[i] as MeterRule;
    const before = entry.stored + entry.pending;
    if (admitted) entry.pending += 1;
    const used = admitted ? before + 1 : before;
    const remaining = Math.max(0, limit - used);
    return { admitted: before < limit, name, limit, used, remaining, resetAt: entry.endsAt, window, owner };
  });
  return readings.reduce(tighter);
}

/**
 * Counts requests per window in memory, and flushes them every second. A crash may lose one second of this
 * count, unlike money and mail (docs/architecture.md, Data). Instances that share a database see each other's count with
 * that delay.
 */
export class RequestMeter {
  readonly #database: Database;
  readonly #entries = new Map<string, Entry | Promise<Entry>>();
  /** The latest time of a request. A window that ended before it takes no more. */
  #latest = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts a request under every rule, or under none when one is used up. @returns the reading that leaves the fewest
   * requests; of refusals, the longest. In a transaction, give it as `reader`: asking the pool for another connection while
   * holding one can leave all of them waiting
   */
  take(rules: Readonly<MeterRules>, now: number, reader: Reader = this.#database): Awaitable<MeterReading> {
    const found = rules.map((rule) => this.#entryOf(rule, now, reader));
    const isLoading = found.some((entry) => entry instanceof Promise);
    return onceThere(isLoading ? Promise.all(found) : (found as Entry[]), (entries) => countIn(entries, rules));
  }

  /** Takes back a count of {@link take} at the same time. */
  async giveBack(rules: Readonly<MeterRules>, now: number): Promise<void> {
    for (const rule of rules) (await this.#entryOf(rule, now, this.#database)).pending -= 1;
  }

  /** Returns the requests of the current UTC day. */
  async used(accountId: string, now: number): Promise<number> {
    const entry = await this.#entryOf({ countId: accountId, owner: 'account', window: 'day' }, now, this.#database);
    return entry.stored + entry.pending;
  }

  /** Returns the requests of the last days, by day. Those of this second on other instances are not in yet. */
  async byDay(accountId: string, now: number): Promise<Map<string, number>> {
    const days = await readDays(this.#database, { accountId, metric: DAILY, periodStart: usageStart(now) });
    return days.set(utcDay(now), await this.used(accountId, now));
  }

  /** Returns the latest day of requests of each account. Those of this second on other instances are not in yet. */
  async lastDays(accountIds: readonly string[], now: number): Promise<Map<string, string>> {
    const last = await readLastPeriods(this.#database, accountIds, DAILY, usageStart(now));
    for (const id of accountIds) {
      const today = { accountId: id, metric: DAILY, periodStart: dayStart(now) };
      const entry = this.#entries.get(idOf(today));
      if (entry && !(entry instanceof Promise) && entry.pending > 0) last.set(id, today.periodStart);
    }
    return new Map([...last].map(([id, at]) => [id, utcDay(at)]));
  }

  /** Writes pending counts and reads the counts of other instances. */
  async flush(): Promise<void> {
    const due = await this.#dueEntries();
    due.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (let from = 0; from < due.length; from += FLUSHED_TOGETHER) {
      const some = due.slice(from, from + FLUSHED_TOGETHER);
      const added = some.map(({ entry: { key }, delta }) => ({ ...key, used: delta }));
      const sums = await this.#database.transaction((tx) => addToCounters(tx, added));
      const stored = new Map(sums.map((sum) => [idOf(sum), sum.used]));
      for (const { id, entry, delta } of some) {
        entry.stored = stored.get(id) ?? entry.stored + delta;
        entry.pending -= delta;
      }
    }
  }

  /** Returns the entries with pending counts, and drops those of windows that have ended. */
  async #dueEntries(): Promise<{ id: string; entry: Entry; delta: number }[]> {
    const due: { id: string; entry: Entry; delta: number }[] = [];
    for (const [id, loading] of this.#entries) {
      const entry = loading instanceof Promise ? await loading.catch(() => null) : loading;
      if (entry && entry.pending !== 0) due.push({ id, entry, delta: entry.pending });
      else if (entry && (entry.endsAt <= this.#latest || this.#entries.size > ENTRIES_MAX)) this.#entries.delete(id);
    }
    return due;
  }

  /** Loads one entry per count and window, once for all concurrent requests. */
  #entryOf(rule: Pick<MeterRule, 'countId' | 'owner' | 'window'>, now: number, reader: Reader): Entry | Promise<Entry> {
    const { countId, window } = rule;
    const key = { accountId: countId, metric: metricOf(rule), periodStart: rateWindowStart(window, now) };
    const id = idOf(key);
    const known = this.#entries.get(id);
    if (known) return known;
    const endsAt = nextRateWindow(window, now);
    const loading = readCounter(reader, key).then((stored): Entry => {
      const entry = { key, endsAt, stored, pending: 0 };
      this.#entries.set(id, entry);
      return entry;
    });
    loading.catch(() => this.#entries.delete(id));
    this.#entries.set(id, loading);
    this.#latest = Math.max(this.#latest, now);
    return loading;
  }
}
