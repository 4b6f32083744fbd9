import { ApiError, invalidField } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import { FIXED_LIMITS } from '../../kernel/limits.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { WebhookGuard } from '../../push/webhook-guard.ts';
import { type AddressRules, mayUse } from '../addresses/address-rules.ts';
import { deleteDeliveries } from './delivery-store.ts';
import { WEBHOOK_SECRET, type Webhook, type WebhookEvent } from './webhook-data.ts';
import { deleteWebhook, findWebhook, insertWebhook, listWebhooks, webhookSlots } from './webhook-store.ts';

/** The number of webhooks an account may have. Each mail is posted to all that watch its address. */
export const WEBHOOKS_MAX = FIXED_LIMITS.webhooks.value;

export interface NewWebhook {
  address: string;
  url: string;
  secret: string | null;
  events: WebhookEvent[];
}

export interface WebhookRules {
  /**
   * @throws ApiError `invalid_request` for a URL that may not receive, `invalid_address`, `address_forbidden`,
   *   `not_found` for an address that no account has, `webhook_limit`
   */
  create(tx: Tx, principal: Principal, webhook: NewWebhook, now: number): Promise<Webhook>;
  /** Lists the webhooks that the caller may see, oldest first. @throws ApiError `invalid_address` */
  list(reader: Reader, caller: Caller, address: string | undefined): Promise<Webhook[]>;
  /** Returns a webhook of the caller. @throws ApiError `webhook_forbidden` for another account's, `not_found` */
  require(reader: Reader, caller: Caller, id: string): Promise<Webhook>;
  /** Deletes a webhook and its deliveries. @throws ApiError as {@link WebhookRules.require} */
  remove(tx: Tx, caller: Caller, id: string): Promise<void>;
}

type Caller = Pick<Principal, 'accountId' | 'addresses'>;

const refuseUrl = (code: string, message: string): ApiError => invalidField('/body/url', code, message);

/**
 * Checks the URL of a receiver. The addresses of its host are checked at every connection.
 * @throws ApiError `invalid_request` about `/body/url`
 */
function requireReceiver(text: string, guard: WebhookGuard): void {
  const url = /[\s\p{C}\\]/u.test(text) ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refuseUrl('invalid_format', '/body/url must be an http or https URL.');
  if (url.username !== '' || url.password !== '')
    throw refuseUrl('not_allowed', '/body/url must not hold a user name or password; use a secret.');
  if (guard.refusesHost(url.hostname)) throw refuseUrl('not_allowed', '/body/url must be on the public internet.');
}

export function createWebhookRules(addresses: AddressRules, guard: WebhookGuard, sealer: Sealer): WebhookRules {
  async function require(reader: Reader, caller: Caller, id: string): Promise<Webhook> {
    const webhook = isId('wh', id) ? await findWebhook(reader, id) : null;
    if (!webhook) throw new ApiError('not_found');
    if (webhook.accountId !== caller.accountId) throw new ApiError('webhook_forbidden');
    if (!mayUse(caller, webhook)) throw new ApiError('not_found');
    return webhook;
  }

  return {
    create: async (tx, principal, { address: text, url, secret, events }, now) => {
      requireReceiver(url, guard);
      const { accountId } = principal;
      const { address } = await addresses.requireOwned(tx, principal, text);
      if (!(await webhookSlots.take(tx, accountId, WEBHOOKS_MAX)))
        throw limitReached(
          'webhooks',
          { used: WEBHOOKS_MAX, max: WEBHOOKS_MAX },
          { message: `An account can have ${WEBHOOKS_MAX} webhooks. Delete one first.` },
        );
      const id = newId('wh', now);
      const webhook: Webhook = {
        id,
        accountId,
        address,
        url,
        secret: secret === null ? null : sealer.seal(WEBHOOK_SECRET, id, secret),
        previousSecret: null,
        previousUntil: null,
        events,
        status: 'active',
        disabledReason: null,
        failingSince: null,
        createdAt: now,
      };
      await insertWebhook(tx, webhook);
      return webhook;
    },
    list: async (reader, caller, text) => {
      const address = text === undefined ? null : addresses.normalize(text);
      const all = await listWebhooks(reader, caller.accountId, WEBHOOKS_MAX);
      const webhooks = all.filter((webhook) => mayUse(caller, webhook));
      return address === null ? webhooks : webhooks.filter((webhook) => webhook.address === address);
    },
    require,
    remove: async (tx, caller, id) => {
      await require(tx, caller, id);
      if (!(await deleteWebhook(tx, id))) throw new ApiError('not_found');
      await deleteDeliveries(tx, id);
      await webhookSlots.giveBack(tx, caller.accountId);
    },
  };
}
