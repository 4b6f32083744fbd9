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
