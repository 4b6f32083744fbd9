import { ApiError } from '../../../api/errors.ts';
import { within } from '../../../base/deadline.ts';

/** After this time a query counts as failed, so that those who wait for the next one do not hang with it. */
const LOOK_UP_MS = 10_000;

const inTime = <T>(answer: Promise<T>): Promise<T> =>
  within<T, never>(LOOK_UP_MS, answer, () => {
    throw new ApiError('storage_unavailable', { cause: `a look-up took more than ${LOOK_UP_MS} ms` });
  });

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
    const answer = inTime(lookUp(hash, now));
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

/** One computes while the other waits for the database. */
const GATHERED_AT_ONCE = 2;

/**
 * Looks up with one query what many callers ask at the same time, each of one id. A caller that arrives while two queries
 * run waits for the next one, so an answer is never older than its question.
 * @returns what is found for an id, or null
 */
export function gatherLookUps<T>(
  lookUpAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | null> {
  const running = new Set<Promise<unknown>>();
  let next: { ids: Set<string>; answers: Promise<ReadonlyMap<string, T>> } | null = null;

  async function ask(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, T>> {
    while (running.size >= GATHERED_AT_ONCE) await Promise.race(running);
    // The caller has added its id by now.
    await undefined;
    next = null;
    const answers = inTime(lookUpAll([...ids]));
    const ended = answers.catch(() => {}).finally(() => running.delete(ended));
    running.add(ended);
    return answers;
  }

  return async (id) => {
    if (next === null) {
      const ids = new Set<string>();
      next = { ids, answers: ask(ids) };
    }
    next.ids.add(id);
    return (await next.answers).get(id) ?? null;
  };
}
