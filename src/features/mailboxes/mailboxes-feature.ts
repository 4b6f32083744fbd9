import { type FeatureContext, feature } from '../../feature.ts';
import type { WaitFor } from '../../kernel/wait.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { createArrivals } from './arrival-rules.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { createEmptying } from './emptying-job.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { mailErasures } from './mail-erasure-rules.ts';
import { mailExports } from './mail-export-rules.ts';
import { mailWaitRoutes } from './mail-wait-routes.ts';
import { createMailboxRules } from './mailbox-rules.ts';
import { messageRoutes } from './message-routes.ts';
import { reindex } from './reindex-job.ts';

type Needs = FeatureContext & { addresses: AddressRules; waitFor: WaitFor };

/** The mail of an address. Agents read, search and label it; other features deliver into it. */
export const mailboxesFeature = feature('mailboxes', ({ database, addresses, waitFor }: Needs) => {
  const arrivals = createArrivals();
  const mailboxes = createMailboxRules(database, addresses, arrivals);
  return {
    jobs: { 'mailbox.empty': createEmptying(database) },
    erases: mailErasures,
    exports: mailExports,
    endpoints: [
      ...messageRoutes({ mailboxes, database, waitFor }),
      ...mailWaitRoutes({ mailboxes, database, waitFor }),
      ...attachmentRoutes({ mailboxes, database }),
      ...inboxRoutes({ mailboxes, database, waitFor }),
    ],
    recover: (isStopping: () => boolean) => reindex(database, isStopping),
    provides: { mailboxes, arrivals },
  };
});
