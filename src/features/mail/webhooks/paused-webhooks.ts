import { type ListWaiting, partOf, waitingParams } from '../../../api/account/waiting.ts';
import { maySee } from './webhook.ts';
import { disabledWebhooks } from './webhook-store.ts';
import type { DisabledReason } from './webhook-table.ts';

const WHY: Record<DisabledReason, string> = {
  gone: 'its receiver answered 410',
  failing: 'it failed for five days',
  secured: 'the account was secured',
  paused: 'it was paused',
};

/** The webhooks that send nothing until they are enabled. */
export const waitingWebhooks: ListWaiting = async (reader, query) => {
  const found = await disabledWebhooks(reader, waitingParams(query));
  const items = found
    .filter((webhook) => maySee({ ...query.caller, accountId: webhook.accountId }, webhook))
    .map(({ id, accountId, url, disabledReason, failingSince, changedAt }) => ({
      id,
      accountId,
      since: failingSince ?? changedAt,
      expiresAt: null,
      summary: `The webhook to ${new URL(url).hostname} sends nothing: ${WHY[disabledReason ?? 'paused']}.`,
      deciders: ['account' as const],
      call: { operation: 'updateEventWebhook', params: { id }, body: { status: 'active' } },
    }));
  return partOf(items, query);
};
