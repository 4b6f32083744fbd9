/** Work that runs at an interval. */
export interface TimedWork {
  everyMs: number;
  run(): Promise<unknown>;
}

/** Runs each piece of work at its interval, never twice at a time. `stop` waits for what is running. */
export function startTimers(work: readonly TimedWork[], onFault: (err: unknown) => void): { stop(): Promise<void> } {
  const running = new Map<TimedWork, Promise<unknown>>();
  const timers = work.map((piece) =>
    setInterval(() => {
      if (running.has(piece)) return;
      const done = piece.run().catch(onFault);
      running.set(piece, done);
      void done.finally(() => running.delete(piece));
    }, piece.everyMs).unref(),
  );
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
