import { LRUCache } from 'lru-cache';
import { keyedHash } from '../../base/secret.ts';

const CACHED_MAX = 10_000;

/** Computes keyed hashes of client addresses, with a cache, because most requests come from a few addresses. */
export function cachedHash(key: string): (ip: string) => string {
  const cache = new LRUCache<string, string>({ max: CACHED_MAX });
  return (ip) => {
    const known = cache.get(ip);
    if (known !== undefined) return known;
    const hash = keyedHash(key, ip);
    cache.set(ip, hash);
    return hash;
  };
}
