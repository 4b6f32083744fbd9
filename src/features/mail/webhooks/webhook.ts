import { ApiError, invalidField } from '../../../api/errors.ts';
import { EVENTS, type EventType } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import { insufficientScope, requireScope } from '../../../api/scopes.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import { isId, newId } from '../../../base/ids.ts';
import type { WebhookGuard } from '../../../base/outbound-guard.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { Sealer } from '../../../base/sealing.ts';
import type { EventLog } from '../../../events/event-log.ts';
import { type AddressRules, mayUse } from '../../account/addresses/address.ts';
import { maySeeCodes } from '../mailboxes/messages/shown-mail.ts';
import {
  deleteWebhookDays,
  firstDayShown,
  forgetWebhookDays,
  listWebhookDays,
  WEBHOOK_DAYS_SHOWN,
} from './webhook-day-store.ts';
import { deleteDeliveries } from './webhook-delivery-store.ts';
import type { WebhookPost } from './webhook-post.ts';
import {
  changeWebhook,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  forgetPreviousSecrets,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  pauseWebhook,
  saveOperated,
  webhookSlots,
} from './webhook-store.ts';
import {
  type Delivery,
  MAIL_EVENTS,
  TEST_EVENT,
  WEBHOOK_SECRET,
  type Webhook,
  type WebhookDay,
} from './webhook-table.ts';

/** The number of webhooks an account may have. Each mail is posted to all that watch its address. */
export const WEBHOOKS_MAX = FIXED_LIMITS.webhooks.value;

export interface NewWebhook {
  /** Null watches the whole account. */
  address: string | null;
  url: string;
  secret: string | null;
  events: EventType[];
}

/** What a PATCH changes. */
export interface WebhookChanges {
  url?: string;
  events?: EventType[];
  status?: Webhook['status'];
}

type Caller = Pick<Principal, 'accountId' | 'addresses'>;

/** The host that a webhook posts to: its target as a way out. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).hostname;

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

/** Whether the caller may see a webhook of its account. One without an address concerns all of them. */
export const maySee = (caller: Caller, { accountId, address }: Webhook): boolean =>
  address === null ? caller.addresses === null : mayUse(caller, { accountId, address });

/** A ping holds nothing of the account. */
const OPEN_EVENTS: readonly Delivery['type'][] = [...MAIL_EVENTS, TEST_EVENT];

/**
 * Refuses what the caller may not read: a webhook gets what `GET /v1/events` shows, so it needs the scope of that. The mail
 * of an address needs none beside that of webhooks. @throws ApiError `insufficient_scope`
 */
export function requireReadable(
  caller: Pick<Principal, 'scopes'>,
  { address }: Pick<Webhook, 'address'>,
  events: readonly Delivery['type'][],
): void {
  if (address === null || !events.every((type) => OPEN_EVENTS.includes(type))) requireScope(caller, 'events:read');
}

/**
 * Refuses what the caller may not watch.
 * @throws ApiError `insufficient_scope`; `invalid_request` for events that are about no address, with an address
 */
function requireEvents(caller: Principal, address: string | null, events: readonly EventType[]): void {
  if (address === null && caller.addresses !== null)
    throw insufficientScope('webhooks:manage', 'A credential that is limited to addresses must name one of them.');
  requireReadable(caller, { address }, events);
  const other = address === null ? undefined : events.find((type) => EVENTS[type].about === null);
  if (other !== undefined)
    throw invalidField(
      '/body/events',
      'not_allowed',
      `${other} is about no address. Leave \`address\` out to watch it.`,
    );
}

/** What webhooks need. Each part takes what it uses of this. */
export interface WebhookDeps {
  database: Database;
  addresses: AddressRules;
  gate: Gate;
  guard: WebhookGuard;
  sealer: Sealer;
  post: WebhookPost;
  enqueueJob: EnqueueJob;
  /** Marks whether the events of an account are looked up for webhooks. */
  setWatched: EventLog['setWatched'];
  now(): number;
}

/** What another account's webhook is answered with. The specification has 403 under the path of mail webhooks. */
export type ForeignWebhook = 'webhook_forbidden' | 'not_found';

/** Makes, lists and changes webhooks. */
export class WebhookRules {
  readonly #deps: WebhookDeps;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  /**
   * @throws ApiError `invalid_request` for a URL that may not receive, `invalid_address`, `address_forbidden`,
   *   `not_found` for an address that no account has, `webhook_limit`, `insufficient_scope` for a credential that may not
   *   read these events
   */
  async create(tx: Tx, principal: Principal, given: NewWebhook, now: number): Promise<Webhook> {
    const { addresses, guard, sealer, setWatched } = this.#deps;
    const { url, secret, events } = given;
    const { accountId } = principal;
    requireReceiver(url, guard);
    requireEvents(principal, given.address, events);
    const operatedBy = await this.#deps.gate.require(tx, principal, 'webhook', [hostOf({ url })]);
    const address =
      given.address === null ? null : (await addresses.requireOwned(tx, principal, given.address)).address;
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
      events,
      showsCodes: maySeeCodes(principal),
      secret: secret === null ? null : sealer.seal(WEBHOOK_SECRET, id, secret),
      previousSecret: null,
      previousUntil: null,
      status: 'active',
      disabledReason: null,
      failingSince: null,
      operatedBy,
      createdAt: now,
      changedAt: now,
    };
    await insertWebhook(tx, webhook);
    await setWatched(tx, accountId, true);
    return webhook;
  }

  /** Lists the webhooks that the caller may see, oldest first. @throws ApiError `invalid_address` */
  async list(reader: Reader, caller: Caller, text: string | undefined): Promise<Webhook[]> {
    const address = text === undefined ? null : this.#deps.addresses.normalize(text);
    const all = await listWebhooks(reader, caller.accountId);
    const webhooks = all.filter((webhook) => maySee(caller, webhook));
    return address === null ? webhooks : webhooks.filter((webhook) => webhook.address === address);
  }

  /** Returns a webhook of the caller. @throws ApiError `foreign` for another account's, `not_found` */
  async require(reader: Reader, caller: Caller, id: string, foreign: ForeignWebhook = 'not_found'): Promise<Webhook> {
    const webhook = isId('wh', id) ? await findWebhook(reader, id) : null;
    if (!webhook) throw new ApiError('not_found');
    if (webhook.accountId !== caller.accountId) throw new ApiError(foreign);
    if (!maySee(caller, webhook)) throw new ApiError('not_found');
    return webhook;
  }

  /**
   * Changes, pauses or resumes a webhook.
   * @throws ApiError as {@link WebhookRules.require} and, for what it changes, {@link WebhookRules.create}
   */
  async change(tx: Tx, caller: Principal, id: string, changes: WebhookChanges, now: number): Promise<Webhook> {
    const { url, events, status } = changes;
    await this.require(tx, caller, id);
    const known = await lockWebhook(tx, id);
    if (!known) throw new ApiError('not_found');
    if (url !== undefined) requireReceiver(url, this.#deps.guard);
    const isWider = url !== undefined || events !== undefined || status === 'active';
    const operatedBy = isWider
      ? await this.#deps.gate.require(tx, caller, 'webhook', [hostOf({ url: url ?? known.url })])
      : known.operatedBy;
    // A new URL sends what the webhook watches somewhere else, so it asks for the same as a new webhook.
    if (url !== undefined || events !== undefined) requireEvents(caller, known.address, events ?? known.events);
    const showsCodes = maySeeCodes(caller) && (known.showsCodes || url !== undefined);
    if (url !== undefined || events !== undefined)
      await changeWebhook(tx, {
        ...known,
        url: url ?? known.url,
        events: events ?? known.events,
        showsCodes,
        changedAt: now,
      });
    if (isWider) await saveOperated(tx, { id, operatedBy });
    if (status === 'active') await enableWebhook(tx, id);
    if (status === 'disabled') await pauseWebhook(tx, id);
    return (await findWebhook(tx, id)) as Webhook;
  }

  /** Deletes a webhook and its deliveries. @throws ApiError as {@link WebhookRules.require} */
  async remove(tx: Tx, caller: Caller, id: string, foreign: ForeignWebhook): Promise<Webhook> {
    const webhook = await this.require(tx, caller, id, foreign);
    if ((await deleteWebhook(tx, id)) === 0) throw new ApiError('not_found');
    await deleteDeliveries(tx, id);
    await deleteWebhookDays(tx, id);
    await webhookSlots.giveBack(tx, caller.accountId);
    // The counter is locked until the transaction ends, so no webhook is made between this look and the mark.
    if ((await webhookSlots.used(tx, caller.accountId)) === 0) await this.#deps.setWatched(tx, caller.accountId, false);
    return webhook;
  }

  /** How many deliveries arrived and failed on each of the last days, oldest first. */
  async week(reader: Reader, { id }: Webhook, now: number): Promise<WebhookDay[]> {
    const known = new Map((await listWebhookDays(reader, id)).map((day) => [day.dayStart, day]));
    return Array.from({ length: WEBHOOK_DAYS_SHOWN }, (_, i) => {
      const dayStart = firstDayShown(now) + i * DAY_MS;
      return known.get(dayStart) ?? { webhookId: id, dayStart, delivered: 0, failed: 0 };
    });
  }

  /** Which webhooks of an account the policy for ways out holds back now. */
  async heldBack(reader: Reader, accountId: string): Promise<(webhook: Webhook) => boolean> {
    const refusal = await this.#deps.gate.mayLeave(reader, { accountId }, 'webhook');
    return (webhook) => refusal({ target: hostOf(webhook), operatedBy: webhook.operatedBy }) !== null;
  }
}

/** Deletes the secrets whose grace is over, and the counts of days that are no longer shown. */
export async function expireWebhooks(tx: Tx, now: number): Promise<void> {
  await forgetPreviousSecrets(tx, now);
  await forgetWebhookDays(tx, now);
}
