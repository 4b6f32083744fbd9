import { openGuard, publicGuard } from '../../../base/outbound-guard.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { createAttempts } from './attempt-job.ts';
import { waitingWebhooks } from './paused-webhooks.ts';
import { expireWebhooks, type WebhookDeps, WebhookRules } from './webhook.ts';
import { createWebhookNotifier } from './webhook-delivery.ts';
import { secureWebhooks, youngWebhooks } from './webhook-lockdown.ts';
import { createWebhookPost } from './webhook-post.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { DELIVERIES, WEBHOOK_DAYS, WEBHOOK_PREVIOUS_SECRET, WEBHOOK_SECRET, WEBHOOKS } from './webhook-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Posts one delivery. A manual retry increases `run`, and jobs of earlier runs then do nothing. */
    'webhook.deliver': { deliveryId: string; run: number };
  }
}

type Needs = FeatureContext & Pick<WebhookDeps, 'addresses' | 'gate'>;

/** A receiver that does not answer holds a slot for 15 s. A slot is only a socket, and no other work uses them. */
const WEBHOOKS_AT_A_TIME = 256;

/** Posts the events of an account or an address to the URLs that watch it. */
export const webhooksFeature = feature('webhooks', (needs: Needs) => {
  const { config, events, jobs, overrides, secrets } = needs;
  // In development, webhooks may also go to private networks and this machine.
  const guard = config.development ? openGuard() : publicGuard();
  events.watch(createWebhookNotifier(jobs.enqueue));
  const deps: WebhookDeps = {
    ...needs,
    guard,
    sealer: secrets.sealer,
    post: createWebhookPost(guard, overrides.webhookTimeoutMs, overrides.showsReplyOf),
    enqueueJob: jobs.enqueue,
    setWatched: events.setWatched,
  };
  return {
    tables: [DELIVERIES, WEBHOOK_DAYS, WEBHOOKS],
    endpoints: webhookRoutes(new WebhookRules(deps), deps),
    expire: expireWebhooks,
    jobs: { 'webhook.deliver': createAttempts(deps) },
    sealed: [WEBHOOK_SECRET, WEBHOOK_PREVIOUS_SECRET],
    waiting: { paused_webhook: { list: waitingWebhooks } },
    secure: secureWebhooks(secrets.sealer),
    recentlyAdded: youngWebhooks,
    concurrency: { webhook: WEBHOOKS_AT_A_TIME },
  };
});
