import { randomBytes } from 'node:crypto';
import { isOld } from '../../kernel/factor.ts';
import { DAY_MS } from '../../kernel/period.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { LOOK_BACK_DAYS, type PausedWebhook, type SecurePart, type YoungPart } from '../../kernel/securing.ts';
import { WEBHOOK_SECRET } from './webhook-data.ts';
import { WEBHOOKS_MAX } from './webhook-rules.ts';
import { disableWebhook, listWebhooks, setSecret } from './webhook-store.ts';

/** As the libraries of Standard Webhooks make them. */
const SECRET_BYTES = 32;

/** Pauses what a thief may have set up, and replaces every secret. Older webhooks go on with their new secret. */
export const secureWebhooks =
  (sealer: Sealer): SecurePart =>
  async (tx, { accountId, whole, now }) => {
    const webhooks: PausedWebhook[] = [];
    for (const webhook of await listWebhooks(tx, accountId, WEBHOOKS_MAX)) {
      const { id, url, status, createdAt } = webhook;
      const isRecent = whole || now - createdAt < LOOK_BACK_DAYS * DAY_MS;
      if (isRecent) await disableWebhook(tx, id, 'secured');
      const secret = webhook.secret === null ? null : `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
      if (secret !== null) await setSecret(tx, id, sealer.seal(WEBHOOK_SECRET, id, secret));
      webhooks.push({ id, url, paused: isRecent || status === 'disabled', secret });
    }
    return { webhooks };
  };

/** Names the webhooks of the last 7 days. */
export const youngWebhooks: YoungPart = async (reader, accountId, now) =>
  (await listWebhooks(reader, accountId, WEBHOOKS_MAX))
    .filter(({ createdAt }) => !isOld({ since: createdAt, bornOld: false }, now))
    .map(({ id }) => `webhook ${id}`);
