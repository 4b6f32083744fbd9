/**
 * Shares one query among all callers that ask the same at the same time. A caller that arrives during a query waits for
 * the next one, which starts after the call. An answer is therefore never older than its question, and a busy key costs
 * at most two queries at a time.
 */
export function shareLookUps<T>(lookUp: (hash: string, now: number) => Promise<T>): typeof lookUp {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();

  async function lookUpNext(hash: string, now: number): Promise<T> {
    await running.get(hash);
    waiting.delete(hash);
    const answer = lookUp(hash, now);
    const ended = answer
      .catch(() => {})
      .finally(() => {
        if (running.get(hash) === ended) running.delete(hash);
      });
    running.set(hash, ended);
    return answer;
  }

  return (hash, now) => {
    const next = waiting.get(hash) ?? lookUpNext(hash, now);
    waiting.set(hash, next);
    return next;
  };
}
