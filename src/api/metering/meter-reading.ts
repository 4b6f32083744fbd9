import type { RateWindow } from '../../base/period.ts';
import type { RefusingLimit } from '../limits.ts';

/** The state of the tightest quota of an account after one more request. */
export interface MeterReading {
  admitted: boolean;
  /** The limit that the quota is an instance of. */
  name: RefusingLimit;
  limit: number;
  used: number;
  remaining: number;
  /** Milliseconds since the epoch. */
  resetAt: number;
  window: RateWindow;
  /**
   * Whose quota it is: a credential’s, a person’s, the account’s (a pod’s is that of its platform), the part of it that
   * named keys and clients share, a named key’s share of that, its console sessions’, or what the platform allows the pod.
   */
  owner: 'credential' | 'person' | 'account' | 'shared' | 'key' | 'console' | 'pod';
}
