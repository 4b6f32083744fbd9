import { isTrusted } from '../../../api/account/factor.ts';
import {
  LOOK_BACK_DAYS,
  type LockdownHook,
  type PausedWebhook,
  type RecentlyAdded,
} from '../../../api/account/lockdown-parts.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { Sealer } from '../../../base/sealing.ts';
import { rotateSecret } from './webhook-secret.ts';
import { disableWebhook, listWebhooks } from './webhook-store.ts';

/** Pauses what a thief may have set up, and replaces every secret. Older webhooks go on with their new secret. */
export const secureWebhooks =
  (sealer: Sealer): LockdownHook =>
  async (tx, { accountId, whole, now }) => {
    const webhooks: PausedWebhook[] = [];
    for (const webhook of await listWebhooks(tx, accountId)) {
      const { id, url, status, changedAt } = webhook;
      const isRecent = whole || now - changedAt < LOOK_BACK_DAYS * DAY_MS;
      if (isRecent) await disableWebhook(tx, id, 'secured');
      const rotated = webhook.secret === null ? null : await rotateSecret(tx, sealer, webhook, 0, now);
      const secret = rotated?.secret ?? null;
      webhooks.push({ id, url, paused: isRecent || status === 'disabled', secret });
    }
    return { webhooks };
  };

/** Names the webhooks of the last 7 days. */
export const youngWebhooks: RecentlyAdded = async (reader, accountId, now) =>
  (await listWebhooks(reader, accountId))
    .filter(({ changedAt }) => !isTrusted({ since: changedAt, trustedFromStart: false }, now))
    .map(({ id }) => `webhook ${id}`);
