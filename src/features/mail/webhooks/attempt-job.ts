import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Tx } from '../../../api/transaction.ts';
import { monotonicMs } from '../../../base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';
import { hostOf, type WebhookDeps } from './webhook.ts';
import { countDelivery } from './webhook-day-store.ts';
import { DELIVERIES_KEPT_MS, maskedBody } from './webhook-delivery.ts';
import { abandonDelivery, findDelivery, forgetDeliveries, settleDelivery } from './webhook-delivery-store.ts';
import { WebhookLimiter } from './webhook-limiter.ts';
import type { PostResult } from './webhook-post.ts';
import { secretsOf } from './webhook-secret.ts';
import { webhookHeaders } from './webhook-signature.ts';
import { disableWebhook, findWebhook, markFailing, markWorking } from './webhook-store.ts';
import { type AttemptNote, type Delivery, TEST_EVENT, type Webhook } from './webhook-table.ts';

const MINUTE_MS = 60_000;
/** Delays before the second and later attempts. After the last attempt the delivery has failed. */
const RETRY_DELAYS_MS = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;
/** Adds up to this part of a delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
const RETRY_AFTER_MAX_MS = DAY_MS;
const FAILING_MAX_MS = 5 * DAY_MS;
const FORGOTTEN_AT_A_TIME = 100;
const GONE = 410;

/** `Retry-After` (RFC 9110 10.2.3) as milliseconds from `now`. 0 if it is absent or invalid. */
export function retryAfterMs(header: string | null, now: number): number {
  const text = header?.trim() ?? '';
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS);
}

/**
 * When to try again after `attempts` failed attempts. Null after the last one.
 * @param random a number from 0 to 1, for the jitter
 */
export function nextAttemptAt(attempts: number, result: PostResult, now: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 + JITTER * random));
  const asksToWait = result.kind === 'answered' && (result.status === 429 || result.status === 503);
  return now + Math.max(jittered, asksToWait ? retryAfterMs(result.retryAfter, now) : 0);
}

/** The log entry of an attempt. Removes the secrets, which a receiver may repeat in its reply. */
function noteOf(result: Exclude<PostResult, { kind: 'aborted' }>, secrets: readonly string[]): AttemptNote {
  const { durationMs } = result;
  if (result.kind === 'failed')
    return { responseStatus: null, responseSnippet: null, error: result.reason, durationMs };
  const { status, snippet } = result;
  return {
    responseStatus: status,
    responseSnippet: secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), snippet),
    error: isSuccess(result) ? null : status >= 300 && status < 400 ? 'redirect' : 'http_status',
    durationMs,
  };
}

const isSuccess = (result: PostResult): boolean =>
  result.kind === 'answered' && result.status >= 200 && result.status < 300;

/** Whether the owner requested the delivery. Such a delivery is sent to a disabled webhook too, and success enables it. */
const isRequested = ({ type, run }: Delivery): boolean => type === TEST_EVENT || run > 1;

/** Makes the job handler that posts a delivery, one attempt at a time. */
export function createAttempts(deps: WebhookDeps): (attempt: JobAttempt<'webhook.deliver'>) => Promise<JobOutcome> {
  const { database, gate, sealer, post, now } = deps;
  const limiter = new WebhookLimiter();

  /** Records the result of an attempt, for the delivery and for the webhook. */
  async function settle(tx: Tx, delivery: Delivery, result: PostResult, note: AttemptNote, next: number | null) {
    const { webhookId, type } = delivery;
    const at = now();
    const succeeded = isSuccess(result);
    const status = succeeded ? 'delivered' : next === null ? 'failed' : 'pending';
    const attempts = delivery.attempts + 1;
    const isSettled = await settleDelivery(tx, delivery, { ...note, status, attempts, nextAttemptAt: next }, at);
    if (succeeded) await markWorking(tx, webhookId, isRequested(delivery));
    else if (result.kind === 'answered' && result.status === GONE) await disableWebhook(tx, webhookId, 'gone');
    else if (type !== TEST_EVENT) await markFailing(tx, webhookId, at, at - FAILING_MAX_MS);
    // One that was deleted meanwhile leaves no count behind.
    if (isSettled && status !== 'pending') await countDelivery(tx, webhookId, succeeded, at);
    await forgetDeliveries(tx, at - DELIVERIES_KEPT_MS, FORGOTTEN_AT_A_TIME);
  }

  const abandon =
    (delivery: Delivery, error: string) =>
    async (tx: Tx): Promise<void> => {
      if (await abandonDelivery(tx, delivery, error)) await countDelivery(tx, delivery.webhookId, false, now());
    };

  function outcomeOf(webhook: Webhook, secrets: readonly string[], delivery: Delivery, result: PostResult): JobOutcome {
    if (result.kind === 'aborted') return { status: 'retry', reason: 'stopped', runAt: now() };
    const isOver =
      isSuccess(result) ||
      delivery.type === TEST_EVENT ||
      webhook.status === 'disabled' ||
      (result.kind === 'answered' && result.status === GONE);
    const next = isOver ? null : nextAttemptAt(delivery.attempts + 1, result, now(), Math.random());
    const note = noteOf(result, secrets);
    const write = (tx: Tx): Promise<void> => settle(tx, delivery, result, note, next);
    return next === null
      ? { status: 'done', complete: write }
      : { status: 'retry', reason: note.error ?? '', runAt: next, complete: write };
  }

  return async ({ payload, now: startedAt, signal }) => {
    const delivery = await findDelivery(database, payload.deliveryId);
    if (delivery?.status !== 'pending' || delivery.run !== payload.run) return { status: 'done' };
    const webhook = await findWebhook(database, delivery.webhookId);
    if (!webhook) return { status: 'done' };
    if (webhook.status === 'disabled' && !isRequested(delivery))
      return { status: 'done', complete: abandon(delivery, 'webhook_disabled') };
    const refusal = await gate.mayLeave(database, { accountId: webhook.accountId }, 'webhook');
    if (refusal({ target: hostOf(webhook), operatedBy: webhook.operatedBy }))
      return { status: 'done', complete: abandon(delivery, 'refused_by_policy') };
    const secrets = secretsOf(sealer, webhook, startedAt);
    const permit = limiter.acquire(webhook.id, monotonicMs());
    if (!permit.granted) return { status: 'retry', reason: 'busy', runAt: Math.ceil(now() + permit.waitMs) };
    const { eventId: id } = delivery;
    // Now, and not when it was stored: its URL may be another since.
    const body = webhook.showsCodes ? delivery.body : maskedBody(delivery.body);
    const headers = webhookHeaders(secrets, { id, timestampSeconds: Math.floor(startedAt / 1000), body });
    const result = await post({ url: webhook.url, headers, body, signal }).catch((err: unknown) => {
      permit.done({ durationMs: 0, hung: false });
      throw err;
    });
    const durationMs = result.kind === 'aborted' ? 0 : result.durationMs;
    permit.done({ durationMs, hung: result.kind === 'failed' && result.reason === 'timeout' });
    return outcomeOf(webhook, secrets, delivery, result);
  };
}
