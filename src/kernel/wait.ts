import type { Principal } from './principal.ts';

/** The part of a call that waiting needs. */
export interface WaitingCall {
  principal: Principal;
  gone(): AbortSignal;
}

/**
 * Long polling: looks, and looks again with each event of the caller's account, until something is found or `seconds`
 * are over (none: it looks once). @returns the last look
 * @throws ApiError `rate_limited` with too many requests waiting, `unauthorized` when the key was revoked meanwhile
 */
export type WaitFor = <T>(
  call: WaitingCall,
  seconds: number | undefined,
  look: () => Promise<T>,
  isFound: (value: T) => boolean,
) => Promise<T>;
