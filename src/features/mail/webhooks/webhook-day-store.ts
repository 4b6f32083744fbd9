import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS, dayStart } from '../../../base/period.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { WEBHOOK_DAYS, type WebhookDay } from './webhook-table.ts';

/** The days that an account sees of a webhook, with the current one. */
export const WEBHOOK_DAYS_SHOWN = 7;

/** Oldest first. */
export const listWebhookDays = WEBHOOK_DAYS.list(['webhookId']);
export const deleteWebhookDays = WEBHOOK_DAYS.remove(['webhookId']);
const purgeDays = WEBHOOK_DAYS.purge('dayStart');

const sql = tables<{ webhook_days: RowOf<typeof WEBHOOK_DAYS> }>();

const addToDay = sql((q, p: RowOf<typeof WEBHOOK_DAYS>) =>
  q
    .insertInto('webhook_days')
    .values(WEBHOOK_DAYS.values(p))
    .onConflict((conflict) =>
      conflict.columns(['webhook_id', 'day_start']).doUpdateSet((eb) => ({
        delivered: eb('webhook_days.delivered', '+', eb.ref('excluded.delivered')),
        failed: eb('webhook_days.failed', '+', eb.ref('excluded.failed')),
      })),
    ),
);

/** Counts a delivery that has arrived, or that was given up. */
export async function countDelivery(tx: Tx, webhookId: string, arrived: boolean, now: number): Promise<void> {
  const day: WebhookDay = { webhookId, dayStart: dayStart(now), delivered: arrived ? 1 : 0, failed: arrived ? 0 : 1 };
  await tx.run(addToDay, WEBHOOK_DAYS.toRow(day));
}

/** When the first day began that is shown. */
export const firstDayShown = (now: number): number => dayStart(now) - (WEBHOOK_DAYS_SHOWN - 1) * DAY_MS;

/** Deletes the days that are no longer shown. */
export const forgetWebhookDays = async (tx: Tx, now: number): Promise<void> =>
  void (await purgeDays(tx, firstDayShown(now) - 1));
