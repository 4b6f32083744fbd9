import type { Tx } from './transaction.ts';

/**
 * Durable work that outlives the request: each kind and what its payload holds. A feature declares its kinds in its
 * `-feature` file. Never a secret: payloads are stored, so a link's token is minted at each attempt.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging.
export interface JobPayloads {}

export type JobKind = keyof JobPayloads;

/** What shares slots, the part of a kind before its dot: a receiver of webhooks that hangs must not hold up mail. */
export type JobLane = JobKind extends `${infer Lane}.${string}` ? Lane : never;

export const laneOf = (kind: JobKind): JobLane => kind.split('.', 1)[0] as JobLane;

/** Puts work on the queue in the transaction that calls for it. */
export type EnqueueJob = <K extends JobKind>(
  tx: Tx,
  job: { kind: K; payload: JobPayloads[K]; runAt: number },
) => Promise<void>;

/** What came of an attempt. `settle` is written in the transaction that also takes the job off the queue. */
export type JobOutcome =
  | { status: 'done'; settle?: (tx: Tx) => Promise<void> }
  | { status: 'retry'; reason: string; runAt: number; settle?: (tx: Tx) => Promise<void> };

export interface JobAttempt<K extends JobKind> {
  id: string;
  payload: JobPayloads[K];
  /** 1 for the first. */
  attempt: number;
  now: number;
  /** Aborted when the worker stops: what can be cut short should end, and be asked for again. */
  signal: AbortSignal;
}

export type JobHandler<K extends JobKind> = (attempt: JobAttempt<K>) => Promise<JobOutcome>;
