import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { type Attempt, type AttemptNote, DELIVERIES, type Delivery } from './webhook-table.ts';

/** The attempts that a delivery keeps: all of a run, and the end of those before. */
const ATTEMPTS_KEPT = 16;

export const insertDelivery = DELIVERIES.insert();
export const findDelivery = DELIVERIES.find();
export const deleteDeliveries = DELIVERIES.remove(['webhookId']);
/** Newest first. */
export const listDeliveries = DELIVERIES.page(['webhookId']);
/** Matches nothing if a retry has started another run meanwhile. */
const settle = DELIVERIES.patch(
  [
    'status',
    'attempts',
    'lastAttemptAt',
    'nextAttemptAt',
    'deliveredAt',
    'responseStatus',
    'responseSnippet',
    'error',
    'durationMs',
    'attemptLog',
  ],
  { status: 'pending' },
  ['id', 'run'],
);
const giveUp = DELIVERIES.patch(['status', 'nextAttemptAt', 'error'], { status: 'pending' }, ['id', 'run']);

const sql = tables<{ webhook_deliveries: RowOf<typeof DELIVERIES> }>();

const restart = sql((q, p: { id: string; now: number }) =>
  q
    .updateTable('webhook_deliveries')
    .set((eb) => ({ status: 'pending', run: eb('run', '+', 1), attempts: 0, next_attempt_at: p.now }))
    .where('id', '=', p.id)
    .returning(DELIVERIES.names),
);

/** A limited number at a time, so that no one waits long. Instances that run this in parallel skip each other's rows. */
const forget = sql((q, p: { before: number; limit: number }, engine) => {
  const old = q
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('created_at', '<', p.before)
    .orderBy('created_at')
    .limit(p.limit);
  return q
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', engine === 'postgres' ? old.forUpdate().skipLocked() : old);
});

/** Starts a new run in any state. Null if there is no such delivery. */
export async function restartDelivery(tx: Tx, id: string, now: number): Promise<Delivery | null> {
  const row = await tx.first(restart, { id, now });
  return row ? DELIVERIES.fromRow(row) : null;
}

/** The state of a delivery after an attempt. */
export type AfterAttempt = AttemptNote & Pick<Delivery, 'status' | 'attempts' | 'nextAttemptAt'>;

/** Records an attempt. @returns false if its run is over */
export function settleDelivery(
  tx: Tx,
  { id, run, attemptLog }: Pick<Delivery, 'id' | 'run' | 'attemptLog'>,
  after: AfterAttempt,
  now: number,
): Promise<boolean> {
  const { responseStatus, responseSnippet, error, durationMs } = after;
  const attempt: Attempt = { run, at: now, responseStatus, responseSnippet, error, durationMs };
  return settle(tx, {
    ...after,
    id,
    run,
    lastAttemptAt: now,
    deliveredAt: after.status === 'delivered' ? now : null,
    attemptLog: [...attemptLog, attempt].slice(-ATTEMPTS_KEPT),
  });
}

/** Fails a delivery without an attempt. @returns false if its run is over */
export const abandonDelivery = (tx: Tx, { id, run }: Pick<Delivery, 'id' | 'run'>, error: string): Promise<boolean> =>
  giveUp(tx, { id, run, status: 'failed', nextAttemptAt: null, error });

export const forgetDeliveries = async (tx: Tx, before: number, limit: number): Promise<void> =>
  void (await tx.run(forget, { before, limit }));
