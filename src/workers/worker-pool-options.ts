/** What a pool of threads is told, and what it answers: see worker-pool.ts. */
import type { Origin } from './fair-queue.ts';

export interface WorkerPoolOptions {
  /** The name of the threads. */
  name: string;
  /** The file that a thread runs; it calls `serveTasks`. */
  file: URL;
  /** Milliseconds one message may take in its thread. Waiting for a free thread does not count. */
  deadlineMs: number;
  /** Threads at most. */
  workers: number;
  /** Heap of a thread in MiB. */
  heapMb: number;
  /**
   * `one`: a thread works on one message after another, so the first one is to blame for a failure, and the others go to
   * a new thread. `many`: it works on all of them together, and a failure ends them all.
   */
  atATime: 'one' | 'many';
  /** A thread that has had no message for so long ends; the next message starts one. Milliseconds, 45,000 unless told. */
  idleMs?: number | undefined;
}

/** Why a message has no reply. `refused`: the code in the thread threw. */
export type TaskProblem = 'refused' | 'deadline' | 'out_of_memory' | 'worker_crashed';
export type TaskResult<Reply> = { reply: Reply } | { problem: TaskProblem };

/** One message for a thread. */
export interface PoolTask<Context, Question, Answer> {
  /** Copied to the thread. What waits in the queue has no copy yet. */
  raw: Uint8Array;
  context: Context;
  /** Whose it is. The messages of one origin delay those of another by one message at most. */
  origin?: Origin | undefined;
  /** Answers requests of the thread about this message. A rejection reaches the thread as its `code`. */
  answer?: (question: Question) => Promise<Answer>;
}
