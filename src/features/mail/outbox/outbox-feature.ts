import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { createReturnPaths, createUnsubscribeTokens } from '../../../mail/smtp-out/return-path.ts';
import { createDispatch } from './dispatch-job.ts';
import { HeldMail } from './held-mail.ts';
import { inboxSendRoutes } from './inbox-send-routes.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { outboxRoutes } from './outbox-routes.ts';
import { PostmasterQuota } from './postmaster-quota.ts';
import { replyRoutes } from './reply-routes.ts';
import { OutboxRules } from './sent-mail.ts';
import { unsubscribeRoutes } from './unsubscribe-routes.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /**
     * Hands an outgoing mail to the relay, or to the servers of its recipients: then one job for each `domain`. `before`:
     * the attempts of earlier jobs for the same.
     */
    'mail.outbound': { outboxId: string; domain?: string; before?: number };
  }
}

type Needs = FeatureContext &
  Pick<OutboxDeps, 'transport' | 'onSent' | 'payments' | 'addresses' | 'mailboxes' | 'suppressions'> &
  Pick<OutboxDeps, 'sendPolicy' | 'reviews' | 'storage'>;

/** Mails of agents that are delivered to the servers of their recipients at a time. */
const DIRECT_AT_A_TIME = 16;

/** Sends the mail of agents, to recipients of this service and to external ones. */
export const outboxFeature = feature('outbox', (needs: Needs) => {
  const { config, events, jobs, secrets, transport } = needs;
  const { mailDomain } = config;
  const parser = new MimeParser({ deadlineMs: needs.overrides.readingMs });
  const deps: OutboxDeps = {
    ...needs,
    mailDomain,
    sealer: secrets.sealer,
    appendEvents: events.appendAll,
    enqueueJob: jobs.enqueue,
    returnPaths: createReturnPaths(
      { key: deriveServiceKey(secrets.serviceKey, 'return-path'), former: secrets.formerKey },
      mailDomain,
    ),
    unsubscribing: createUnsubscribeTokens(deriveServiceKey(secrets.serviceKey, 'unsubscribe')),
    readWritten: parser.readWritten,
    postmasterRoom: new PostmasterQuota(jobs.waiting, config.postmasterMail !== null),
  };
  const held = new HeldMail(deps);
  deps.reviews.carryOutBy(held);
  const outbox = new OutboxRules(deps, held);
  return {
    endpoints: [
      ...outboxRoutes(outbox, deps),
      ...replyRoutes(outbox, deps),
      ...unsubscribeRoutes(deps),
      ...inboxSendRoutes(outbox, deps),
    ],
    jobs: { 'mail.outbound': createDispatch(deps) },
    // A relay answers for all domains; among their own servers some are slow.
    ...(transport.byDomain && { concurrency: { outbound: DIRECT_AT_A_TIME } }),
    stop: () => parser.close(),
    provides: { returnPaths: deps.returnPaths, outbox, parser, postmasterRoom: deps.postmasterRoom },
  };
});
