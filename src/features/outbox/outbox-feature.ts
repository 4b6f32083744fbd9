import { type FeatureContext, feature } from '../../feature.ts';
import { createReturnPaths } from '../../mail/return-path.ts';
import type { MailTransport } from '../../mail/smtp-out.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { DeliveryRules } from '../mailboxes/delivery-rules.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';
import { createDispatch, type DispatchDeps } from './dispatch-job.ts';
import { createDraftRules } from './draft-rules.ts';
import { inboxSendRoutes } from './inbox-send-routes.ts';
import { outboxRoutes } from './outbox-routes.ts';
import { createOutboxRules, type Senders } from './outbox-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Hands an outgoing mail to recipients elsewhere. */
    'mail.outbound': { outboxId: string };
  }
}

type Needs = FeatureContext & {
  transport: MailTransport;
  onSent: DispatchDeps['onSent'];
  payments: PaymentRules;
  addresses: AddressRules;
  delivery: DeliveryRules;
  mailboxes: Senders;
};

/** Mail that agents send, and its way to recipients elsewhere. */
export const outboxFeature = feature('outbox', (needs: Needs) => {
  const { config, limits, database, events, jobs, hashKey, baseUrl, transport, onSent } = needs;
  const { payments, addresses, delivery, mailboxes } = needs;
  const { mailDomain } = config;
  const returnPaths = createReturnPaths(hashKey, mailDomain);
  const drafts = createDraftRules({ limits, mailDomain });
  const outbox = createOutboxRules({
    ...{ limits, mailDomain, payments, addresses, delivery },
    provider: transport.provider,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
  });
  return {
    endpoints: [
      ...outboxRoutes({ mailboxes, drafts, outbox, database, baseUrl }),
      ...inboxSendRoutes({ mailboxes, drafts, outbox, database, baseUrl }),
    ],
    jobs: {
      'mail.outbound': createDispatch({
        ...{ database, transport, returnPaths, mailDomain, onSent },
        appendEvent: events.append,
      }),
    },
    provides: { returnPaths },
  };
});
