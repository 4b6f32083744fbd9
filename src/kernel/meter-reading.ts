import type { RateWindow } from './period.ts';

/** The state of the tightest quota of an account after one more request. */
export interface MeterReading {
  admitted: boolean;
  limit: number;
  used: number;
  remaining: number;
  /** Milliseconds since the epoch. */
  resetAt: number;
  window: RateWindow;
  /** The account whose quota it is: of a pod its own, or the one it shares with its platform. */
  accountId: string;
}
