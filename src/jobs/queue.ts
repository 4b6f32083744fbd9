import { type JobKind, type JobLane, type JobPayloads, laneOf } from '../api/job-types.ts';
import type { Reader, Tx } from '../api/transaction.ts';
import { newId } from '../base/ids.ts';
import {
  advance,
  bringForward,
  deleteJob,
  depths,
  earliest,
  failed,
  failedById,
  freeAll,
  freeOf,
  giveBack,
  giveBackOf,
  type Held,
  insertJob,
  leaseDue,
  makeDue,
  postpone,
  someDue,
  someOfKind,
} from './job-store.ts';

/** Wakes the workers of every instance. */
export const JOBS_TOPIC = 'jobs';

export interface LeasedJob {
  id: string;
  kind: JobKind;
  payload: JobPayloads[JobKind];
  attempt: number;
  leaseUntil: number;
}

/** Whether other mail servers decide what becomes of a job. To tell people what was done is no part of the outcome. */
const isMail = (kind: JobKind): boolean => /^mail\./.test(kind) && kind !== 'mail.told';

/** Adds a job to the queue in the transaction that needs it. `runAt` in milliseconds. */
export async function enqueueJob<K extends JobKind>(
  tx: Tx,
  job: { kind: K; payload: JobPayloads[K]; runAt: number },
): Promise<void> {
  const { kind, runAt } = job;
  if (isMail(kind)) tx.dryRun?.dependsOn('relay');
  await tx.run(insertJob, {
    id: newId('job', runAt),
    lane: laneOf(kind),
    kind,
    payload: JSON.stringify(job.payload),
    run_at: runAt,
    now: runAt,
  });
  tx.signal(JOBS_TOPIC);
}

/**
 * After the clock was set back: what was due by its former time stays due, and retries wait no longer than they would
 * have. What is scheduled waits for its time.
 * @param clock.back milliseconds by which it was set back, once; 0 later, when only jobs may be stored that began before
 */
export async function keepDue(
  tx: Tx,
  { now, latest, back }: { now: number; latest: number; back: number },
): Promise<void> {
  if (back > 0) await tx.run(bringForward, { now, back, former: now + back });
  await tx.run(makeDue, { now, latest });
}

/** Whether a lane has due jobs. Takes no lock. */
export const hasDueJobs = async (reader: Reader, lane: JobLane, now: number): Promise<boolean> =>
  (await reader.first(someDue, { lane, now })) !== undefined;

/** The payloads of jobs of a kind, whether or not they are due. Reads the jobs of the lane. */
export const waitingJobs = async <K extends JobKind>(
  reader: Reader,
  kind: K,
  limit: number,
): Promise<JobPayloads[K][]> =>
  (await reader.all(someOfKind, { lane: laneOf(kind), kind, limit })).map(
    ({ payload }) => JSON.parse(payload) as JobPayloads[K],
  );

/** @param lease.except the jobs that the caller is attempting */
export async function leaseJobs(
  tx: Tx,
  lane: JobLane,
  lease: { now: number; until: number; by: string; limit: number; except: readonly string[] },
): Promise<LeasedJob[]> {
  const { now, until, by, limit } = lease;
  const except = JSON.stringify(lease.except.map((id) => [id]));
  const rows = await tx.all(leaseDue, { lane, now, lease_until: until, by, limit, except });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as JobKind,
    payload: JSON.parse(row.payload) as JobPayloads[JobKind],
    attempt: row.attempts,
    leaseUntil: until,
  }));
}

const heldBy = ({ id, attempt, leaseUntil }: LeasedJob): Held => ({ id, attempts: attempt, lease_until: leaseUntil });

/** @returns false if another attempt has the job by now, or the outcome is stored already */
export const finishJob = async (tx: Tx, job: LeasedJob): Promise<boolean> =>
  (await tx.run(deleteJob, heldBy(job))) === 1;

/** @returns as {@link finishJob} */
export const postponeJob = async (tx: Tx, job: LeasedJob, runAt: number, reason: string): Promise<boolean> =>
  (await tx.run(postpone, { ...heldBy(job), run_at: runAt, last_error: reason.slice(0, 500) })) === 1;

/** Postpones a job whose attempt does not count. @returns as {@link finishJob} */
export const giveBackJob = async (tx: Tx, job: LeasedJob, runAt: number): Promise<boolean> =>
  (await tx.run(giveBack, { ...heldBy(job), run_at: runAt })) === 1;

/** Ends a lease of which no job is attempted. */
export const giveBackLease = async (tx: Tx, lane: JobLane, lease: { by: string; until: number }): Promise<void> =>
  void (await tx.run(giveBackOf, { lane, by: lease.by, lease_until: lease.until }));

/** Makes the jobs free that an instance, or with null any, has leased. They are attempted again at once. */
export const freeJobs = async (tx: Tx, instanceId: string | null): Promise<void> =>
  void (await (instanceId === null ? tx.run(freeAll, {}) : tx.run(freeOf, { by: instanceId })));

/** When the next job is due, or null for an empty queue. */
export const nextJobAt = async (reader: Reader): Promise<number | null> =>
  (await reader.first(earliest, {}))?.run_at ?? null;

/** How many jobs of each lane wait, are due, and have failed before. Reads every job: for the administrator. */
export const queueDepths = async (reader: Reader, now: number) =>
  (await reader.all(depths, { now })).map(({ lane, waiting, due, failing, oldest }) => ({
    lane,
    waiting: Number(waiting),
    due: Number(due),
    failing: Number(failing),
    oldest_due_seconds: Math.max(0, Math.floor((now - Number(oldest)) / 1000)),
  }));

/** Jobs whose last attempt did not succeed. Reads every job: for the administrator. */
export const failedJobs = async (reader: Reader, limit: number) =>
  (await reader.all(failed, { limit })).map(({ id, kind, attempts, last_error: error, run_at: runAt }) => ({
    id,
    kind,
    attempts,
    error,
    runAt,
  }));

/**
 * Makes a job that failed due now, for an attempt that does not count.
 * @returns false if it is due or runs already; null if there is no such failed job
 */
export async function runJobNow(tx: Tx, id: string, now: number): Promise<boolean | null> {
  if ((await tx.first(failedById, { id })) === undefined) return null;
  const isAdvanced = (await tx.run(advance, { id, now })) === 1;
  if (isAdvanced) tx.signal(JOBS_TOPIC);
  return isAdvanced;
}
