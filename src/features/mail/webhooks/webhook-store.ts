import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { type DisabledReason, WEBHOOKS, type Webhook } from './webhook-table.ts';

type Row = RowOf<typeof WEBHOOKS>;

type Secrets = Pick<Row, 'secret' | 'previous_secret' | 'previous_until'>;

const sql = tables<{ webhooks: Row }>();

/** How many webhooks each account has. */
export const webhookSlots = slotCounter('webhook_counts');

const insertRow = sql((q, p: Row) => q.insertInto('webhooks').values(WEBHOOKS.values(p)));

const byId = sql((q, p: { id: string }) => q.selectFrom('webhooks').select(WEBHOOKS.names).where('id', '=', p.id));

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q.selectFrom('webhooks').select(WEBHOOKS.names).where('account_id', '=', p.account_id).orderBy('id').limit(p.limit),
);

const activeOf = sql((q, p: { account_id: string }) =>
  q
    .selectFrom('webhooks')
    .select(WEBHOOKS.names)
    .where('account_id', '=', p.account_id)
    .where('status', '=', 'active')
    .orderBy('id'),
);

type Changes = Pick<Row, 'url' | 'events' | 'changed_at'>;

const change = sql((q, p: Changes & { id: string }) =>
  q.updateTable('webhooks').set({ url: p.url, events: p.events, changed_at: p.changed_at }).where('id', '=', p.id),
);

/** Locks the webhook until the transaction ends. */
const lock = sql((q, p: { id: string }) =>
  q
    .updateTable('webhooks')
    .set((eb) => ({ changed_at: eb.ref('changed_at') }))
    .where('id', '=', p.id)
    .returning(WEBHOOKS.names),
);

const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('webhooks').where('id', '=', p.id));

const setSecret = sql((q, p: Secrets & { id: string }) =>
  q
    .updateTable('webhooks')
    .set({ secret: p.secret, previous_secret: p.previous_secret, previous_until: p.previous_until })
    .where('id', '=', p.id),
);

const forgetPrevious = sql((q, p: { now: number }) =>
  q.updateTable('webhooks').set({ previous_secret: null, previous_until: null }).where('previous_until', '<=', p.now),
);

const startFailing = sql((q, p: { id: string; now: number }) =>
  q.updateTable('webhooks').set({ failing_since: p.now }).where('id', '=', p.id).where('failing_since', 'is', null),
);

const disableFailing = sql((q, p: { id: string; since: number }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: 'failing' })
    .where('id', '=', p.id)
    .where('status', '=', 'active')
    .where('failing_since', '<=', p.since),
);

const disableNow = sql((q, p: { id: string; reason: DisabledReason }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: p.reason })
    .where('id', '=', p.id)
    .where('status', '=', 'active'),
);

const pause = sql((q, p: { id: string }) =>
  q.updateTable('webhooks').set({ status: 'disabled', disabled_reason: 'paused' }).where('id', '=', p.id),
);

/** Matches nothing, and so locks nothing, if the webhook did not fail before. */
const recover = sql((q, p: { id: string }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'active', disabled_reason: null, failing_since: null })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('status', '=', 'disabled'), eb('failing_since', 'is not', null)])),
);

/** The same, but not for a webhook that is disabled for one of these reasons. */
const recoverUnless = (reasons: readonly DisabledReason[]) =>
  sql((q, p: { id: string }) =>
    q
      .updateTable('webhooks')
      .set({ status: 'active', disabled_reason: null, failing_since: null })
      .where('id', '=', p.id)
      .where((eb) => eb.or([eb('status', '=', 'disabled'), eb('failing_since', 'is not', null)]))
      .where((eb) => eb.or([eb('disabled_reason', 'is', null), eb('disabled_reason', 'not in', reasons)])),
  );
const recoverPaused = recoverUnless(['paused']);
const recoverUnrequested = recoverUnless(['paused', 'secured']);

export const insertWebhook = async (tx: Tx, webhook: Webhook): Promise<void> =>
  void (await tx.run(insertRow, WEBHOOKS.toRow(webhook)));

export async function findWebhook(reader: Reader, id: string): Promise<Webhook | null> {
  const row = await reader.first(byId, { id });
  return row ? WEBHOOKS.fromRow(row) : null;
}

/** Oldest first. */
export const listWebhooks = async (reader: Reader, accountId: string, limit: number): Promise<Webhook[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit })).map(WEBHOOKS.fromRow);

/** Oldest first. */
export const activeWebhooks = async (reader: Reader, accountId: string): Promise<Webhook[]> =>
  (await reader.all(activeOf, { account_id: accountId })).map(WEBHOOKS.fromRow);

/** Reads a webhook that no other transaction can change until this one ends. */
export async function lockWebhook(tx: Tx, id: string): Promise<Webhook | null> {
  const row = await tx.first(lock, { id });
  return row ? WEBHOOKS.fromRow(row) : null;
}

/** Stores what a webhook watches, and where it sends it. */
export async function changeWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const { id, url, events, changed_at } = WEBHOOKS.toRow(webhook);
  await tx.run(change, { id, url, events, changed_at });
}

/** @returns false if there is no such webhook */
export const deleteWebhook = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(deleteRow, { id })) === 1;

/** Replaces both secrets of a webhook. */
export const replaceSecret = async (
  tx: Tx,
  id: string,
  { secret, previousSecret, previousUntil }: Pick<Webhook, 'secret' | 'previousSecret' | 'previousUntil'>,
): Promise<void> =>
  void (await tx.run(setSecret, { id, secret, previous_secret: previousSecret, previous_until: previousUntil }));

/** Deletes the former secrets that sign no more. */
export const forgetPreviousSecrets = async (tx: Tx, now: number): Promise<void> =>
  void (await tx.run(forgetPrevious, { now }));

/** Records a failed attempt. Disables the webhook if it has failed since `disableSince` or earlier. */
export async function markFailing(tx: Tx, id: string, now: number, disableSince: number): Promise<void> {
  await tx.run(startFailing, { id, now });
  await tx.run(disableFailing, { id, since: disableSince });
}

export const disableWebhook = async (tx: Tx, id: string, reason: DisabledReason): Promise<void> =>
  void (await tx.run(disableNow, { id, reason }));

/** Disables a webhook until its owner enables it, whatever disabled it before. */
export const pauseWebhook = async (tx: Tx, id: string): Promise<void> => void (await tx.run(pause, { id }));

/** Enables a webhook, whatever disabled it. */
export const enableWebhook = async (tx: Tx, id: string): Promise<void> => void (await tx.run(recover, { id }));

/**
 * Records a successful attempt: clears earlier failures and enables a disabled webhook. One that was disabled when the
 * account was secured is enabled only by an attempt that its owner requested, and one that the owner paused by none.
 */
export const markWorking = async (tx: Tx, id: string, isRequested: boolean): Promise<void> =>
  void (await (isRequested ? tx.run(recoverPaused, { id }) : tx.run(recoverUnrequested, { id })));
