import { type FeatureContext, feature } from '../../feature.ts';
import type { WaitFor } from '../../kernel/wait.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import type { DraftRules } from './draft-rules.ts';
import { inboxRoutes } from './inbox-routes.ts';
import type { Intake } from './intake-rules.ts';
import { createMailboxRules } from './mailbox-rules.ts';
import { messageRoutes } from './message-routes.ts';
import { outboxRoutes } from './outbox-routes.ts';
import type { OutboxRules } from './outbox-rules.ts';
import { threadRoutes } from './thread-routes.ts';

type Needs = FeatureContext & {
  addresses: AddressRules;
  intake: Intake;
  outbox: OutboxRules;
  drafts: DraftRules;
  waitFor: WaitFor;
};

/** What an agent does with its mail: read, search, label, answer. */
export const mailboxesFeature = feature('mailboxes', (needs: Needs) => {
  const { database, baseUrl, addresses, intake, outbox, drafts, waitFor } = needs;
  const mailboxes = createMailboxRules(database, addresses, intake);
  return {
    endpoints: [
      ...messageRoutes({ mailboxes, database, waitFor }),
      ...threadRoutes({ mailboxes, database }),
      ...attachmentRoutes({ mailboxes, database }),
      ...outboxRoutes({ mailboxes, drafts, outbox, database, baseUrl }),
      ...inboxRoutes({ mailboxes, drafts, outbox, database, waitFor, baseUrl }),
    ],
  };
});
