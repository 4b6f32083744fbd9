import type { Principal } from './principal.ts';

/** The part of a call that waiting needs. */
export interface WaitingCall {
  principal: Principal;
  /** Aborted when the client has disconnected. */
  gone(): AbortSignal;
}

/**
 * Long polling. Calls `look` now and after each event of the caller's account, until something is found or `seconds` are
 * over. Calls it once if `seconds` is absent or 0. @returns the last result of `look`
 * @throws ApiError if too many requests wait, or `unauthorized` if the key was revoked meanwhile
 */
export type WaitFor = <T>(
  call: WaitingCall,
  seconds: number | undefined,
  look: () => Promise<T>,
  isFound: (value: T) => boolean,
) => Promise<T>;
