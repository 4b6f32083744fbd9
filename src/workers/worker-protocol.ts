/** Messages between a worker pool and its threads. */

/** A message to work on, or the result of a question about an earlier one. */
export type ToWorker =
  | { kind: 'task'; id: number; raw: ArrayBuffer; context: unknown }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'no_answer'; id: number; code: string | null };

/** The result of a message, or a question about one. `ready`: its code is loaded. `refused`: it threw. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'reply'; id: number; reply: unknown }
  | { kind: 'refused'; id: number }
  | { kind: 'question'; id: number; task: number; question: unknown };
