import type { Reader, Tx } from './transaction.ts';

/**
 * The kinds of jobs and their payloads. A job is durable work that outlives its request. A feature declares its kinds in
 * its `-feature` file. A payload never contains a secret, because it is stored: each attempt mints its own link token.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging.
export interface JobPayloads {}

export type JobKind = keyof JobPayloads;

/**
 * The part of a kind before its dot. Each lane has its own slots, so that a webhook receiver that hangs does not delay
 * mail. The mail of agents has its own lane: servers that they choose must not delay a login link.
 */
export type JobLane = (JobKind extends `${infer Lane}.${string}` ? Lane : never) | 'outbound';

export const laneOf = (kind: JobKind): JobLane =>
  kind === 'mail.outbound' ? 'outbound' : (kind.split('.', 1)[0] as JobLane);

/** Enqueues a job in the transaction that needs it. */
export type EnqueueJob = <K extends JobKind>(
  tx: Tx,
  job: { kind: K; payload: JobPayloads[K]; runAt: number },
) => Promise<void>;

/** Reads what jobs of a kind wait or run, at most `limit` of them. */
export type WaitingJobs = <K extends JobKind>(reader: Reader, kind: K, limit: number) => Promise<JobPayloads[K][]>;

/**
 * The outcome of an attempt. `complete` runs in the transaction that removes or reschedules the job. `isUncounted`: nothing
 * was tried, so the next attempt has the same number.
 */
export type JobOutcome =
  | { status: 'done'; complete?: (tx: Tx) => Promise<void> }
  | { status: 'retry'; reason: string; runAt: number; isUncounted?: true; complete?: (tx: Tx) => Promise<void> };

/**
 * Ends an attempt that came before its time, as happens when the clock is set back between the lease and the attempt. A
 * handler that looks at a deadline must not treat that as done: the job would be lost.
 */
export const notBefore = (runAt: number): JobOutcome => ({
  status: 'retry',
  reason: 'it is not time yet',
  runAt,
  isUncounted: true,
});

export interface JobAttempt<K extends JobKind> {
  id: string;
  payload: JobPayloads[K];
  /** 1 for the first attempt. */
  attempt: number;
  now: number;
  /** Aborted when the worker stops. A handler should then end early and ask for a retry if it can. */
  signal: AbortSignal;
}

export type JobHandler<K extends JobKind> = (attempt: JobAttempt<K>) => Promise<JobOutcome>;
