/** Remembered MTA-STS policies (RFC 8461). */
import { LRUCache } from 'lru-cache';
import type { MxOptions } from 'mx-connect';
import { systemClock } from '../../base/clock.ts';
import { HOUR_MS } from '../../base/period.ts';

/** What a domain wants of TLS, as the library reads it. */
export interface StsPolicy {
  /** Of the TXT record. */
  id: string;
  mode: 'enforce' | 'testing' | 'none';
  version?: string;
  mx?: string[];
  /** Seconds. */
  maxAge?: number;
  /** ISO 8601. */
  expires: string;
}

/** Where policies are remembered until they expire. */
export interface PolicyMemory {
  /** `isOld`: it should be fetched again, although it is valid. */
  find(domain: string): Promise<{ policy: StsPolicy; isOld: boolean } | null>;
  keep(domain: string, policy: StsPolicy): Promise<void>;
}

const POLICIES_MAX = 5000;

/** For a process that has no database. */
export function memoryOfProcess(): PolicyMemory {
  const policies = new LRUCache<string, StsPolicy>({ max: POLICIES_MAX });
  return {
    find: async (domain) => {
      const policy = policies.get(domain);
      return policy ? { policy, isOld: false } : null;
    },
    keep: async (domain, policy) => void policies.set(domain, policy),
  };
}

/** No record has this id, so the library fetches the policy again, and keeps to the known one if that fails. */
const OLD_ID = 'old';

/** A fetch that failed. */
interface Failure {
  /** Of the TXT record at that time; null if it could not be read. */
  id: string | null;
  /** When the next one may be tried. */
  until: number;
  /** What the library notes where no policy is known: that there is none until then. */
  note: StsPolicy | null;
}

/** The library's memory of one delivery. */
export interface DeliveryMemory {
  cache: MxOptions['mtaSts']['cache'];
  /** Is told the answers to all its questions of type TXT. */
  onText(name: string, records: readonly unknown[]): void;
}

/** The id in the record of a domain (RFC 8461 3.1). Should the library read another one, it fetches the policy. */
function idIn(records: readonly unknown[]): string | null {
  const texts = records.map((parts) => [parts].flat().join(''));
  return texts.map((text) => /^v=STSv1\s*;.*?\bid\s*=\s*([a-z\d]{1,32})/i.exec(text)?.[1]).find((id) => id) ?? null;
}

/**
 * Returns what makes the library's memory of a delivery. It remembers in this process which fetches failed: else every
 * delivery would wait for a policy host that is down.
 */
export function policyCaches(memory: PolicyMemory): () => DeliveryMemory {
  const failures = new LRUCache<string, Failure>({ max: POLICIES_MAX });
  const failureOf = (domain: string): Failure | null => {
    const failure = failures.get(domain);
    return failure && failure.until > systemClock.now() ? failure : null;
  };
  return () => {
    let known: StsPolicy | null = null;
    let id: string | null = null;
    const cache: DeliveryMemory['cache'] = {
      get: async (domain) => {
        const found = await memory.find(domain);
        known = found?.policy ?? null;
        const failure = failureOf(domain);
        // A note says no less than a policy that asks for nothing.
        if (failure?.note && (known === null || known.mode === 'none')) return failure.note;
        if (found === null) return false;
        if (failure) return { ...found.policy, id: failure.id ?? found.policy.id };
        return found.isOld ? { ...found.policy, id: OLD_ID } : found.policy;
      },
      set: async (domain, found) => {
        const policy = found as Partial<StsPolicy> & { error?: unknown };
        const failure = failureOf(domain);
        // Without these it is no policy of the domain, but a note of the library that there is none.
        if (!policy.id || !policy.expires || !policy.mode) return;
        if (policy.error !== undefined) {
          if (policy.expires !== known?.expires)
            failures.set(domain, { id, until: Date.parse(policy.expires), note: policy as StsPolicy });
          // The known policy stays in force until it expires (RFC 8461 5.1). A third id is asked for at once.
          else if (failure === null || (id ?? failure.id) !== failure.id)
            failures.set(domain, { id, until: systemClock.now() + HOUR_MS, note: null });
          return;
        }
        // Not fetched: an id of the library's memory may be that of a policy which could not be.
        if (policy.expires === known?.expires) return;
        failures.delete(domain);
        await memory.keep(domain, policy as StsPolicy);
      },
    };
    return {
      cache,
      onText: (name, records) => {
        if (name.startsWith('_mta-sts.')) id = idIn(records);
      },
    };
  };
}
