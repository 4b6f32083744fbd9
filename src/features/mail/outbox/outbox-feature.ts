import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { MimeParser } from '../../../mail/reading/mime-parser.ts';
import type { MailTransport } from '../../../mail/smtp-out/mail-transport.ts';
import { createReturnPaths, createUnsubscribeTokens } from '../../../mail/smtp-out/return-path.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { PaymentRules } from '../../service/payments/payment.ts';
import type { Suppressions } from '../../service/suppressions/suppression.ts';
import type { SendPolicy } from '../mail-policy/send-policy.ts';
import type { ReviewRules } from '../reviews/review.ts';
import type { StorageRules } from '../storage/storage-quota.ts';
import { createDispatch, type DispatchDeps } from './dispatch-job.ts';
import { HeldMail } from './held-mail.ts';
import { inboxSendRoutes } from './inbox-send-routes.ts';
import { outboxRoutes } from './outbox-routes.ts';
import { PostmasterRoom } from './postmaster-quota.ts';
import { replyRoutes } from './reply-routes.ts';
import { OutboxRules, type Senders } from './sent-mail.ts';
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

type Needs = FeatureContext & {
  transport: MailTransport;
  onSent: DispatchDeps['onSent'];
  payments: PaymentRules;
  addresses: AddressRules;
  mailboxes: Senders;
  suppressions: Suppressions;
  sendPolicy: SendPolicy;
  reviews: ReviewRules;
  storage: StorageRules;
};

/** Mails of agents that are delivered to the servers of their recipients at a time. */
const DIRECT_AT_A_TIME = 16;

/** Sends the mail of agents, to recipients of this service and to external ones. */
export const outboxFeature = feature('outbox', (needs: Needs) => {
  const { config, database, events, jobs, secrets, baseUrl, transport, onSent } = needs;
  const { payments, addresses, mailboxes, sendPolicy, reviews, suppressions, storage } = needs;
  const { mailDomain } = config;
  const returnPaths = createReturnPaths(
    { key: deriveServiceKey(secrets.serviceKey, 'return-path'), former: secrets.formerKey },
    mailDomain,
  );
  const unsubscribing = createUnsubscribeTokens(deriveServiceKey(secrets.serviceKey, 'unsubscribe'));
  const postmasterRoom = new PostmasterRoom({ isForwarded: config.postmasterMail !== null, waiting: jobs.waiting });
  const ports = {
    postmasterRoom,
    mailDomain,
    payments,
    addresses,
    policy: sendPolicy,
    reviews,
    suppressions,
    storage,
    provider: transport.provider,
    appendEvents: events.appendAll,
    enqueueJob: jobs.enqueue,
  };
  const parser = new MimeParser({ deadlineMs: needs.overrides.readingMs });
  const { readWritten } = parser;
  const held = new HeldMail(ports);
  reviews.carryOutBy(held);
  const outbox = new OutboxRules({ ...ports, held });
  const routed = { mailboxes, outbox, database, mailDomain, baseUrl, readWritten };
  return {
    endpoints: [
      ...outboxRoutes(routed),
      ...replyRoutes(routed),
      ...unsubscribeRoutes({ database, suppressions, unsubscribing }),
      ...inboxSendRoutes(routed),
    ],
    jobs: {
      'mail.outbound': createDispatch({
        database,
        sealer: secrets.sealer,
        transport,
        returnPaths,
        unsubscribing,
        baseUrl,
        mailDomain,
        onSent,
        policy: sendPolicy,
        suppressions,
        appendEvents: events.appendAll,
        enqueueJob: jobs.enqueue,
      }),
    },
    // A relay answers for all domains; among their own servers some are slow.
    ...(transport.byDomain && { concurrency: { outbound: DIRECT_AT_A_TIME } }),
    stop: () => parser.close(),
    provides: { returnPaths, outbox, parser, postmasterRoom },
  };
});
