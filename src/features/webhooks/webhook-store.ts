import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { DisabledReason, Webhook, WebhookEvent } from './webhook-data.ts';

interface Row {
  id: string;
  account_id: string;
  address: string;
  url: string;
  secret: string | null;
  events: string;
  status: string;
  disabled_reason: string | null;
  failing_since: number | null;
  created_at: number;
}

const sql = tables<{ webhooks: Row; webhook_counts: { account_id: string; used: number } }>();

const insertRow = sql((q, p: Omit<Row, 'disabled_reason' | 'failing_since'>) =>
  q.insertInto('webhooks').values({
    id: p.id,
    account_id: p.account_id,
    address: p.address,
    url: p.url,
    secret: p.secret,
    events: p.events,
    status: p.status,
    disabled_reason: null,
    failing_since: null,
    created_at: p.created_at,
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('webhooks').selectAll().where('id', '=', p.id));

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q.selectFrom('webhooks').selectAll().where('account_id', '=', p.account_id).orderBy('id').limit(p.limit),
);

const activeOf = sql((q, p: { address: string; account_id: string }) =>
  q
    .selectFrom('webhooks')
    .selectAll()
    .where('address', '=', p.address)
    .where('account_id', '=', p.account_id)
    .where('status', '=', 'active')
    .orderBy('id'),
);

const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('webhooks').where('id', '=', p.id));

/** One more webhook, unless the account has as many as it may: checked and counted in one statement. */
const takeSlot = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('webhook_counts')
    .values({ account_id: p.account_id, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ used: eb('webhook_counts.used', '+', 1) }))
        .where('webhook_counts.used', '<', p.limit),
    ),
);

const giveSlotBack = sql((q, p: { account_id: string }) =>
  q
    .updateTable('webhook_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id),
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

const disableNow = sql((q, p: { id: string; reason: string }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'disabled', disabled_reason: p.reason })
    .where('id', '=', p.id)
    .where('status', '=', 'active'),
);

/** Changes nothing, and so locks nothing, for a webhook that was well before. */
const recover = sql((q, p: { id: string }) =>
  q
    .updateTable('webhooks')
    .set({ status: 'active', disabled_reason: null, failing_since: null })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('status', '=', 'disabled'), eb('failing_since', 'is not', null)])),
);

const toWebhook = (row: Row): Webhook => ({
  id: row.id,
  accountId: row.account_id,
  address: row.address,
  url: row.url,
  secret: row.secret,
  events: JSON.parse(row.events) as WebhookEvent[],
  status: row.status as Webhook['status'],
  disabledReason: row.disabled_reason as DisabledReason | null,
  failingSince: row.failing_since,
  createdAt: row.created_at,
});

export const insertWebhook = async (tx: Tx, webhook: Webhook): Promise<void> =>
  void (await tx.run(insertRow, {
    id: webhook.id,
    account_id: webhook.accountId,
    address: webhook.address,
    url: webhook.url,
    secret: webhook.secret,
    events: JSON.stringify(webhook.events),
    status: webhook.status,
    created_at: webhook.createdAt,
  }));

export async function findWebhook(reader: Reader, id: string): Promise<Webhook | null> {
  const row = await reader.first(byId, { id });
  return row ? toWebhook(row) : null;
}

/** Oldest first. */
export const listWebhooks = async (reader: Reader, accountId: string, limit: number): Promise<Webhook[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit })).map(toWebhook);

export const activeWebhooks = async (reader: Reader, accountId: string, address: string): Promise<Webhook[]> =>
  (await reader.all(activeOf, { account_id: accountId, address })).map(toWebhook);

/** @returns false when it was gone already */
export const deleteWebhook = async (tx: Tx, id: string): Promise<boolean> => (await tx.run(deleteRow, { id })) === 1;

export const takeWebhookSlot = async (tx: Tx, accountId: string, limit: number): Promise<boolean> =>
  (await tx.run(takeSlot, { account_id: accountId, limit })) === 1;

export const returnWebhookSlot = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(giveSlotBack, { account_id: accountId }));

/** An attempt failed: remembers since when they do, and ends the webhook if that was at `disableSince` or before. */
export async function markFailing(tx: Tx, id: string, now: number, disableSince: number): Promise<void> {
  await tx.run(startFailing, { id, now });
  await tx.run(disableFailing, { id, since: disableSince });
}

export const disableWebhook = async (tx: Tx, id: string, reason: DisabledReason): Promise<void> =>
  void (await tx.run(disableNow, { id, reason }));

/** An attempt succeeded: what failed before is forgotten, and a disabled webhook works again. */
export const markWell = async (tx: Tx, id: string): Promise<void> => void (await tx.run(recover, { id }));
