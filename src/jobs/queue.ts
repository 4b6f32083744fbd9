import { tables } from '../db/statement.ts';
import { newId } from '../kernel/ids.ts';
import { type JobKind, type JobLane, type JobPayloads, laneOf } from '../kernel/jobs.ts';
import type { Reader, Tx } from '../kernel/transaction.ts';

interface Row {
  id: string;
  /** What shares slots: the part of the kind before the dot. */
  lane: string;
  kind: string;
  payload: string;
  attempts: number;
  run_at: number;
  lease_until: number;
  /** The instance that attempts it; null while none does. */
  leased_by: string | null;
  last_error: string | null;
  created_at: number;
}

const sql = tables<{ jobs: Row }>();

/** Wakes the workers of every instance. */
export const JOBS_TOPIC = 'jobs';

/** Kinds that wait for a time of their own. Other jobs are due when they are stored. */
const SCHEDULED: readonly JobKind[] = [
  'account.delete',
  'approval.expire',
  'draft.send',
  'mail.approval_digest',
  'mailbox.empty',
  'mailbox.purge',
  'mailbox.retain',
  'notice.end',
  'review.expire',
];

const insertJob = sql((q, p: Pick<Row, 'id' | 'lane' | 'kind' | 'payload' | 'run_at'> & { now: number }) =>
  q.insertInto('jobs').values({
    id: p.id,
    lane: p.lane,
    kind: p.kind,
    payload: p.payload,
    attempts: 0,
    run_at: p.run_at,
    lease_until: 0,
    leased_by: null,
    last_error: null,
    created_at: p.now,
  }),
);

/** A lease, not a lock: the jobs of an instance that is gone become free ({@link freeJobs}), at the latest when it expires. */
const leaseDue = sql((q, p: { lane: string; now: number; lease_until: number; by: string; limit: number }, engine) => {
  const due = q
    .selectFrom('jobs')
    .select('id')
    .where('lane', '=', p.lane)
    .where('run_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .orderBy('run_at')
    .limit(p.limit);
  return q
    .updateTable('jobs')
    .set((eb) => ({ lease_until: p.lease_until, leased_by: p.by, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'kind', 'payload', 'attempts']);
});

/** What an attempt holds. */
interface Held {
  id: string;
  attempts: number;
  lease_until: number;
}

/**
 * Only the attempt that holds the lease can settle a job, and only once: one whose lease expired changes nothing, nor does
 * one that stores its outcome again because the answer to its COMMIT was lost.
 */
const deleteJob = sql((q, p: Held) =>
  q
    .deleteFrom('jobs')
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempts)
    .where('lease_until', '=', p.lease_until),
);

const postpone = sql((q, p: Held & { run_at: number; last_error: string }) =>
  q
    .updateTable('jobs')
    .set({ run_at: p.run_at, lease_until: 0, leased_by: null, last_error: p.last_error })
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempts)
    .where('lease_until', '=', p.lease_until),
);

/** As {@link postpone}, without counting the attempt: the next lease has the number that this one, now ended, had. */
const giveBack = sql((q, p: Held & { run_at: number }) =>
  q
    .updateTable('jobs')
    .set((eb) => ({ run_at: p.run_at, lease_until: 0, leased_by: null, attempts: eb('attempts', '-', 1) }))
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempts)
    .where('lease_until', '=', p.lease_until),
);

const freeOf = sql((q, p: { by: string }) =>
  q.updateTable('jobs').set({ lease_until: 0, leased_by: null }).where('leased_by', '=', p.by),
);
const freeAll = sql((q, _p: Record<never, never>) =>
  q.updateTable('jobs').set({ lease_until: 0, leased_by: null }).where('leased_by', 'is not', null),
);

const makeDue = sql((q, p: { now: number; latest: number }) =>
  q
    .updateTable('jobs')
    .set({ run_at: p.now })
    .where('run_at', '>', p.now)
    .where('run_at', '<=', p.latest)
    // Not yet attempted, nor put off.
    .where('attempts', '=', 0)
    .whereRef('run_at', '=', 'created_at')
    .where('kind', 'not in', SCHEDULED),
);

const earliest = sql((q, _p: Record<never, never>) =>
  q.selectFrom('jobs').select((eb) => eb.fn.min<number | null>('run_at').as('run_at')),
);

const someDue = sql((q, p: { lane: string; now: number }) =>
  q
    .selectFrom('jobs')
    .select('id')
    .where('lane', '=', p.lane)
    .where('run_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .limit(1),
);

const someOfKind = sql((q, p: { lane: string; kind: string; limit: number }) =>
  q.selectFrom('jobs').select('payload').where('lane', '=', p.lane).where('kind', '=', p.kind).limit(p.limit),
);

export interface LeasedJob {
  id: string;
  kind: JobKind;
  payload: JobPayloads[JobKind];
  attempt: number;
  leaseUntil: number;
}

/** Adds a job to the queue in the transaction that needs it. `runAt` in milliseconds. */
export async function enqueueJob<K extends JobKind>(
  tx: Tx,
  job: { kind: K; payload: JobPayloads[K]; runAt: number },
): Promise<void> {
  const { kind, runAt } = job;
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
 * After the clock was set back: what was due when it was stored, by its former time, stays due. Retries and what is
 * scheduled wait for their time.
 */
export const keepDue = async (tx: Tx, clock: { now: number; latest: number }): Promise<void> =>
  void (await tx.run(makeDue, clock));

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

export async function leaseJobs(
  tx: Tx,
  lane: JobLane,
  lease: { now: number; until: number; by: string; limit: number },
): Promise<LeasedJob[]> {
  const { now, until, by, limit } = lease;
  const rows = await tx.all(leaseDue, { lane, now, lease_until: until, by, limit });
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

/** Makes the jobs free that an instance, or with null any, has leased. They are attempted again at once. */
export const freeJobs = async (tx: Tx, instanceId: string | null): Promise<void> =>
  void (await (instanceId === null ? tx.run(freeAll, {}) : tx.run(freeOf, { by: instanceId })));

/** When the next job is due, or null for an empty queue. */
export const nextJobAt = async (reader: Reader): Promise<number | null> =>
  (await reader.first(earliest, {}))?.run_at ?? null;

const depths = sql((q, p: { now: number }) =>
  q
    .selectFrom('jobs')
    .select((eb) => [
      'lane',
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.sum<number>(eb.case().when('run_at', '<=', p.now).then(1).else(0).end()).as('due'),
      eb.fn.sum<number>(eb.case().when('last_error', 'is not', null).then(1).else(0).end()).as('failing'),
      eb.fn.min<number>('run_at').as('oldest'),
    ])
    .groupBy('lane')
    .orderBy('lane'),
);
const failed = sql((q, p: { limit: number }) =>
  q
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts', 'last_error', 'run_at'])
    .where('last_error', 'is not', null)
    .orderBy('attempts', 'desc')
    .limit(p.limit),
);

/** How many jobs of each lane wait, are due, and have failed before. Reads every job: for the administrator. */
export const queueDepths = async (reader: Reader, now: number) =>
  (await reader.all(depths, { now })).map(({ lane, waiting, due, failing, oldest }) => ({
    ...{ lane, waiting: Number(waiting), due: Number(due), failing: Number(failing) },
    oldest_due_seconds: Math.max(0, Math.floor((now - Number(oldest)) / 1000)),
  }));

/** Jobs whose last attempt did not succeed. Reads every job: for the administrator. */
export const failedJobs = async (reader: Reader, limit: number) =>
  (await reader.all(failed, { limit })).map(({ id, kind, attempts, last_error: error, run_at: runAt }) => ({
    ...{ id, kind, attempts, error, runAt },
  }));
