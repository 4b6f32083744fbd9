/** The only place of the client that reads the machine's clock. Functions that depend on the time take another `now` in tests. */
export const systemNow = (): number => Date.now();
