/** A bounded cache, such as one of lru-cache. Each bound is 0 where there is none. */
export interface CacheFill {
  /** Entries, and the most that it keeps. */
  readonly size: number;
  readonly max: number;
  /** Their size, and the largest that it keeps. */
  readonly calculatedSize: number;
  readonly maxSize: number;
}

/** Shows in the metrics how full a cache is. `name` is one of few words. @returns the cache */
export type WatchCache = <Cache extends CacheFill>(name: string, cache: Cache) => Cache;
