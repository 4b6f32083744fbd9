import { LRUCache } from 'lru-cache';

/** How often requests of an account met a limit. */
export interface LimitHit {
  /** The name of the limit. */
  limit: string;
  /** Null: calls without a credential. */
  accountId: string | null;
  count: number;
  /** The last time, milliseconds. */
  lastAt: number;
}

/** The accounts and limits that are remembered, those that were met last. */
const HITS_MAX = 1000;

/** Remembers which limits refused requests to this instance since its start, for the administrator. */
export class LimitHits {
  readonly #hits = new LRUCache<string, LimitHit>({ max: HITS_MAX });

  readonly note = (limit: string, accountId: string | null, now: number): void => {
    const key = `${limit} ${accountId ?? ''}`;
    const count = (this.#hits.get(key)?.count ?? 0) + 1;
    this.#hits.set(key, { limit, accountId, count, lastAt: now });
  };

  /** The last one first. */
  list(): LimitHit[] {
    return [...this.#hits.values()].sort((one, other) => other.lastAt - one.lastAt);
  }
}
