import type { JobKind } from '../api/job-types.ts';
import { jsonRows } from '../db/json-rows.ts';
import { tables } from '../db/statement.ts';

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

/** Kinds that wait for a given time. Other jobs are due when they are stored. */
const SCHEDULED: readonly JobKind[] = [
  'account.delete',
  'approval.expire',
  'draft.send',
  'mail.approval_digest',
  'mail.bundle',
  'mailbox.empty',
  'mailbox.purge',
  'mailbox.retain',
  'notice.end',
  'review.expire',
];

export const insertJob = sql((q, p: Pick<Row, 'id' | 'lane' | 'kind' | 'payload' | 'run_at'> & { now: number }) =>
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
type Lease = { lane: string; now: number; lease_until: number; by: string; limit: number; except: string };
export const leaseDue = sql((q, p: Lease, engine) => {
  const due = q
    .selectFrom('jobs')
    .select('id')
    .where('lane', '=', p.lane)
    .where('run_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .where('id', 'not in', (eb) =>
      eb.selectFrom(jsonRows(engine, p.except, { id: 'text' }).as('running')).select('running.id'),
    )
    .orderBy('run_at')
    .limit(p.limit);
  return q
    .updateTable('jobs')
    .set((eb) => ({ lease_until: p.lease_until, leased_by: p.by, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', engine === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'kind', 'payload', 'attempts']);
});

/** What an attempt holds. */
export interface Held {
  id: string;
  attempts: number;
  lease_until: number;
}

/**
 * Only the attempt that holds the lease can settle a job, and only once: one whose lease expired changes nothing, nor does
 * one that stores its outcome again because the answer to its COMMIT was lost.
 */
export const deleteJob = sql((q, p: Held) =>
  q
    .deleteFrom('jobs')
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempts)
    .where('lease_until', '=', p.lease_until),
);

export const postpone = sql((q, p: Held & { run_at: number; last_error: string }) =>
  q
    .updateTable('jobs')
    .set({ run_at: p.run_at, lease_until: 0, leased_by: null, last_error: p.last_error })
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempts)
    .where('lease_until', '=', p.lease_until),
);

/** As {@link postpone}, without counting the attempt: the next lease has the number that this one, now ended, had. */
export const giveBack = sql((q, p: Held & { run_at: number }) =>
  q
    .updateTable('jobs')
    .set((eb) => ({ run_at: p.run_at, lease_until: 0, leased_by: null, attempts: eb('attempts', '-', 1) }))
    .where('id', '=', p.id)
    .where('attempts', '=', p.attempts)
    .where('lease_until', '=', p.lease_until),
);

export const giveBackOf = sql((q, p: { lane: string; by: string; lease_until: number }) =>
  q
    .updateTable('jobs')
    .set((eb) => ({ lease_until: 0, leased_by: null, attempts: eb('attempts', '-', 1) }))
    .where('lane', '=', p.lane)
    .where('leased_by', '=', p.by)
    .where('lease_until', '=', p.lease_until),
);

export const freeOf = sql((q, p: { by: string }) =>
  q.updateTable('jobs').set({ lease_until: 0, leased_by: null }).where('leased_by', '=', p.by),
);
export const freeAll = sql((q, _p: Record<never, never>) =>
  q.updateTable('jobs').set({ lease_until: 0, leased_by: null }).where('leased_by', 'is not', null),
);

export const makeDue = sql((q, p: { now: number; latest: number }) =>
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

export const bringForward = sql((q, p: { now: number; back: number; former: number }) =>
  q
    .updateTable('jobs')
    .set((eb) => ({
      run_at: eb
        .case()
        .when('run_at', '>', p.former)
        .then(eb('run_at', '-', p.back))
        .else(p.now)
        .end(),
    }))
    .where('run_at', '>', p.now)
    .where('kind', 'not in', SCHEDULED),
);

export const earliest = sql((q, _p: Record<never, never>) =>
  q.selectFrom('jobs').select((eb) => eb.fn.min<number | null>('run_at').as('run_at')),
);

export const someDue = sql((q, p: { lane: string; now: number }) =>
  q
    .selectFrom('jobs')
    .select('id')
    .where('lane', '=', p.lane)
    .where('run_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .limit(1),
);

export const someOfKind = sql((q, p: { lane: string; kind: string; limit: number }) =>
  q.selectFrom('jobs').select('payload').where('lane', '=', p.lane).where('kind', '=', p.kind).limit(p.limit),
);

export const depths = sql((q, p: { now: number }) =>
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
export const failed = sql((q, p: { limit: number }) =>
  q
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts', 'last_error', 'run_at'])
    .where('last_error', 'is not', null)
    .orderBy('attempts', 'desc')
    .limit(p.limit),
);

export const failedById = sql((q, p: { id: string }) =>
  q.selectFrom('jobs').select('run_at').where('id', '=', p.id).where('last_error', 'is not', null),
);
/** The next attempt has the number of the last one, so that it uses up none of those that the job has. */
export const advance = sql((q, p: { id: string; now: number }) =>
  q
    .updateTable('jobs')
    .set((eb) => ({
      run_at: p.now,
      // None is left to take away where the attempt that it was taken away for was given back.
      attempts: eb
        .case()
        .when('attempts', '>', 0)
        .then(eb('attempts', '-', 1))
        .else(0)
        .end(),
    }))
    .where('id', '=', p.id)
    .where('run_at', '>', p.now)
    .where('lease_until', '<=', p.now)
    .where('last_error', 'is not', null),
);
