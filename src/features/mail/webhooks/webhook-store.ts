import type { Kysely } from 'kysely';
import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { type DisabledReason, WEBHOOKS, type Webhook } from './webhook-table.ts';

/** How many webhooks each account has. */
export const webhookSlots = slotCounter('webhooks');

export const insertWebhook = WEBHOOKS.insert();
export const findWebhook = WEBHOOKS.find();
/** Reads a webhook that no other transaction can change until this one ends. */
export const lockWebhook = WEBHOOKS.lock();
/** Oldest first: no more than an account may have. */
export const listWebhooks = WEBHOOKS.list(['accountId']);
export const activeWebhooks = WEBHOOKS.list(['accountId'], { status: 'active' });
/** Stores what a webhook watches, and where it sends it. */
export const changeWebhook = WEBHOOKS.patch(['url', 'events', 'showsCodes', 'changedAt']);
export const saveOperated = WEBHOOKS.patch(['operatedBy']);
export const deleteWebhook = WEBHOOKS.remove();
/** Replaces both secrets of a webhook. */
export const replaceSecret = WEBHOOKS.patch(['secret', 'previousSecret', 'previousUntil']);
const startFailing = WEBHOOKS.patch(['failingSince'], { failingSince: null });
const disableActive = WEBHOOKS.patch(['status', 'disabledReason'], { status: 'active' });
const disable = WEBHOOKS.patch(['status', 'disabledReason']);

type Tables = { webhooks: RowOf<typeof WEBHOOKS> };
const sql = tables<Tables>();

const forgetPrevious = sql((q, p: { now: number }) =>
  q.updateTable('webhooks').set({ previous_secret: null, previous_until: null }).where('previous_until', '<=', p.now),
);

const disableFailing = sql((q, p: { id: string; since: number }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: 'failing' })
    .where('id', '=', p.id)
    .where('status', '=', 'active')
    .where('failing_since', '<=', p.since),
);

/** Matches nothing, and so locks nothing, if the webhook did not fail before. */
const recovering = (q: Kysely<Tables>, p: { id: string }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'active', disabled_reason: null, failing_since: null })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('status', '=', 'disabled'), eb('failing_since', 'is not', null)]));
const recover = sql(recovering);

/** The same, but not for a webhook that is disabled for one of these reasons. */
const recoverUnless = (reasons: readonly DisabledReason[]) =>
  sql((q, p: { id: string }) =>
    recovering(q, p).where((eb) =>
      eb.or([eb('disabled_reason', 'is', null), eb('disabled_reason', 'not in', reasons)]),
    ),
  );
const recoverPaused = recoverUnless(['paused']);
const recoverUnrequested = recoverUnless(['paused', 'secured']);

const disabled = sql((q, p: Pick<WaitingParams, 'ids'>, engine) =>
  q
    .selectFrom('webhooks')
    .select(WEBHOOKS.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('status', '=', 'disabled'),
);

/** Lists the disabled webhooks of these accounts, in no order. */
export const disabledWebhooks = async (reader: Reader, { ids }: Pick<WaitingParams, 'ids'>): Promise<Webhook[]> =>
  (await reader.all(disabled, { ids })).map(WEBHOOKS.fromRow);

/** Deletes the former secrets that sign no more. */
export const forgetPreviousSecrets = async (tx: Tx, now: number): Promise<void> =>
  void (await tx.run(forgetPrevious, { now }));

/** Records a failed attempt. Disables the webhook if it has failed since `disableSince` or earlier. */
export async function markFailing(tx: Tx, id: string, now: number, disableSince: number): Promise<void> {
  await startFailing(tx, { id, failingSince: now });
  await tx.run(disableFailing, { id, since: disableSince });
}

export const disableWebhook = async (tx: Tx, id: string, disabledReason: DisabledReason): Promise<void> =>
  void (await disableActive(tx, { id, status: 'disabled', disabledReason }));

/** Disables a webhook until its owner enables it, whatever disabled it before. */
export const pauseWebhook = async (tx: Tx, id: string): Promise<void> =>
  void (await disable(tx, { id, status: 'disabled', disabledReason: 'paused' }));

/** Enables a webhook, whatever disabled it. */
export const enableWebhook = async (tx: Tx, id: string): Promise<void> => void (await tx.run(recover, { id }));

/**
 * Records a successful attempt: clears earlier failures and enables a disabled webhook. One that was disabled when the
 * account was secured is enabled only by an attempt that its owner requested, and one that the owner paused by none.
 */
export const markWorking = async (tx: Tx, id: string, isRequested: boolean): Promise<void> =>
  void (await (isRequested ? tx.run(recoverPaused, { id }) : tx.run(recoverUnrequested, { id })));
