/** The only file of the client that reads the system clock. Tests pass their own `now`. */
export const systemNow = (): number => Date.now();

/** Milliseconds of a clock that is never set. */
export const monotonicNow = (): number => performance.now();
