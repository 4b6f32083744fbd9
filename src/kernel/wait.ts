import type { Principal } from './principal.ts';

/** The part of a call that waiting needs. */
export interface WaitingCall {
  principal: Principal;
  /** Aborted when the client has gone. */
  gone(): AbortSignal;
}

/**
 * Long polling: looks, and looks again with each event of the caller's account, until something is found or `seconds`
 * are over. It looks once when `seconds` is absent or 0. @returns the last look
 * @throws ApiError when too many requests wait; `unauthorized` when the key was revoked meanwhile
 */
export type WaitFor = <T>(
  call: WaitingCall,
  seconds: number | undefined,
  look: () => Promise<T>,
  isFound: (value: T) => boolean,
) => Promise<T>;
