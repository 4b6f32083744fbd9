import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { AttemptNote, Delivery, DeliveryStatus } from './webhook-data.ts';

interface Row {
  id: string;
  webhook_id: string;
  type: string;
  event_id: string;
  message_id: string | null;
  body: string;
  status: string;
  run: number;
  attempts: number;
  created_at: number;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
  delivered_at: number | null;
  response_status: number | null;
  response_snippet: string | null;
  error: string | null;
  duration_ms: number | null;
}

type NewRow = Pick<
  Row,
  'id' | 'webhook_id' | 'type' | 'event_id' | 'message_id' | 'body' | 'created_at' | 'next_attempt_at'
>;

const sql = tables<{ webhook_deliveries: Row }>();

const insertRow = sql((q, p: NewRow) =>
  q.insertInto('webhook_deliveries').values({
    id: p.id,
    webhook_id: p.webhook_id,
    type: p.type,
    event_id: p.event_id,
    message_id: p.message_id,
    body: p.body,
    status: 'pending',
    run: 1,
    attempts: 0,
    created_at: p.created_at,
    last_attempt_at: null,
    next_attempt_at: p.next_attempt_at,
    delivered_at: null,
    response_status: null,
    response_snippet: null,
    error: null,
    duration_ms: null,
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('webhook_deliveries').selectAll().where('id', '=', p.id));

const page = sql((q, p: { webhook_id: string; before: string; limit: number }) =>
  q
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', p.webhook_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const restart = sql((q, p: { id: string; now: number }) =>
  q
    .updateTable('webhook_deliveries')
    .set((eb) => ({ status: 'pending', run: eb('run', '+', 1), attempts: 0, next_attempt_at: p.now }))
    .where('id', '=', p.id)
    .returningAll(),
);

type Settled = Pick<
  Row,
  'status' | 'attempts' | 'next_attempt_at' | 'response_status' | 'response_snippet' | 'error' | 'duration_ms'
>;

/** A run that somebody restarted meanwhile is not this attempt's to end. */
const settle = sql((q, p: Settled & { id: string; run: number; now: number; delivered_at: number | null }) =>
  q
    .updateTable('webhook_deliveries')
    .set({
      status: p.status,
      attempts: p.attempts,
      last_attempt_at: p.now,
      next_attempt_at: p.next_attempt_at,
      delivered_at: p.delivered_at,
      response_status: p.response_status,
      response_snippet: p.response_snippet,
      error: p.error,
      duration_ms: p.duration_ms,
    })
    .where('id', '=', p.id)
    .where('run', '=', p.run)
    .where('status', '=', 'pending'),
);

const giveUp = sql((q, p: { id: string; run: number; error: string }) =>
  q
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, error: p.error })
    .where('id', '=', p.id)
    .where('run', '=', p.run)
    .where('status', '=', 'pending'),
);

const deleteOf = sql((q, p: { webhook_id: string }) =>
  q.deleteFrom('webhook_deliveries').where('webhook_id', '=', p.webhook_id),
);

/** Some at a time: nobody waits long for it, and instances that forget at once skip what another one has in hand. */
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

const toDelivery = (row: Row): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  type: row.type as Delivery['type'],
  eventId: row.event_id,
  messageId: row.message_id,
  body: row.body,
  status: row.status as DeliveryStatus,
  run: row.run,
  attempts: row.attempts,
  createdAt: row.created_at,
  lastAttemptAt: row.last_attempt_at,
  nextAttemptAt: row.next_attempt_at,
  deliveredAt: row.delivered_at,
  responseStatus: row.response_status,
  responseSnippet: row.response_snippet,
  error: row.error,
  durationMs: row.duration_ms,
});

export type NewDelivery = Pick<Delivery, 'id' | 'webhookId' | 'type' | 'eventId' | 'messageId' | 'body' | 'createdAt'>;

/** @returns the delivery as it was stored: due at once */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<Delivery> {
  const row: NewRow = {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    type: delivery.type,
    event_id: delivery.eventId,
    message_id: delivery.messageId,
    body: delivery.body,
    created_at: delivery.createdAt,
    next_attempt_at: delivery.createdAt,
  };
  await tx.run(insertRow, row);
  return toDelivery((await tx.first(byId, { id: delivery.id })) as Row);
}

export async function findDelivery(reader: Reader, id: string): Promise<Delivery | null> {
  const row = await reader.first(byId, { id });
  return row ? toDelivery(row) : null;
}

/** Newest first, with ids smaller than `before`. */
export const listDeliveries = async (
  reader: Reader,
  webhookId: string,
  before: string,
  limit: number,
): Promise<Delivery[]> => (await reader.all(page, { webhook_id: webhookId, before, limit })).map(toDelivery);

/** Begins a new run, whatever became of the one before. */
export async function restartDelivery(tx: Tx, id: string, now: number): Promise<Delivery | null> {
  const row = await tx.first(restart, { id, now });
  return row ? toDelivery(row) : null;
}

export interface Ending extends AttemptNote {
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: number | null;
}

/** Writes down an attempt. @returns false when the run it belonged to is over */
export const settleDelivery = async (
  tx: Tx,
  { id, run }: Pick<Delivery, 'id' | 'run'>,
  ending: Ending,
  now: number,
): Promise<boolean> =>
  (await tx.run(settle, {
    id,
    run,
    now,
    status: ending.status,
    attempts: ending.attempts,
    next_attempt_at: ending.nextAttemptAt,
    delivered_at: ending.status === 'delivered' ? now : null,
    response_status: ending.responseStatus,
    response_snippet: ending.responseSnippet,
    error: ending.error,
    duration_ms: ending.durationMs,
  })) === 1;

/** Ends a delivery without an attempt. */
export const abandonDelivery = async (
  tx: Tx,
  { id, run }: Pick<Delivery, 'id' | 'run'>,
  error: string,
): Promise<void> => void (await tx.run(giveUp, { id, run, error }));

export const deleteDeliveries = async (tx: Tx, webhookId: string): Promise<void> =>
  void (await tx.run(deleteOf, { webhook_id: webhookId }));

export const forgetDeliveries = async (tx: Tx, before: number, limit: number): Promise<void> =>
  void (await tx.run(forget, { before, limit }));
