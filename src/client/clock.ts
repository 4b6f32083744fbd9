/** The one place of the client that reads the machine's clock; what depends on the time takes another `now` in tests. */
export const systemNow = (): number => Date.now();
