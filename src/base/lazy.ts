/**
 * What `make` returns, made at the first call. Put the `require` of a large library that a service may never need into it:
 * what a start loads costs time, and memory for as long as the service runs (docs/adr/0091-what-a-start-loads.md).
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A value that is there at once where nothing waits, as with a database in this process, and else a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there: a promise for each step would cost every call. */
export const onceThere = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value);
