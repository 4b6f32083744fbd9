/** A value that is there at once where nothing waits, as with a database in this process, and else a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there: a promise for each step would cost every call. */
export const onceThere = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value);
