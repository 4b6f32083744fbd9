import { LRUCache } from 'lru-cache';
import { keyedHash } from '../kernel/secret.ts';

const CACHED_MAX = 10_000;

/** Keyed hashes of client addresses, cached because the same few come again with every request. */
export function cachedHash(key: string): (ip: string) => string {
  const cache = new LRUCache<string, string>({ max: CACHED_MAX });
  return (ip) => {
    const hash = cache.get(ip) ?? keyedHash(key, ip);
    cache.set(ip, hash);
    return hash;
  };
}
