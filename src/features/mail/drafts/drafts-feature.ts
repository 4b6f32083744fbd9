import type { Securing } from '../../../api/account/lockdown-parts.ts';
import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import type { OutboxRules } from '../outbox/sent-mail.ts';
import type { StorageRules } from '../storage/storage-quota.ts';
import { cancelSchedules, DraftRules, purgeSentDrafts } from './draft.ts';
import { draftFileExport } from './draft-export.ts';
import { draftRoutes } from './draft-routes.ts';
import { DRAFT_FILES, DRAFTS } from './draft-table.ts';
import { createScheduled } from './schedule-job.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Sends a scheduled mail, unless it was cancelled or scheduled for another time. */
    'draft.send': { draftId: string; sendAt: number };
  }
}

type Needs = FeatureContext & {
  mailboxes: MailboxRules;
  outbox: OutboxRules;
  storage: StorageRules;
  parser: MimeParser;
};

/** How long a sent draft says that it was sent. */
const SENT_KEPT_MS = 30 * DAY_MS;

/** Drafts, and mail that is sent later. */
export const draftsFeature = feature('drafts', (needs: Needs) => {
  const { config, database, events, jobs, jobEffects, limits, mailboxes, outbox, storage, parser, baseUrl } = needs;
  const { mailDomain } = config;
  const drafts = new DraftRules({
    mailboxes,
    outbox,
    storage,
    database,
    mailDomain,
    baseUrl,
    readWritten: parser.readWritten,
    enqueueJob: jobs.enqueue,
    appendEvent: events.append,
  });
  return {
    endpoints: draftRoutes({ drafts, database }),
    jobs: { 'draft.send': createScheduled({ drafts, database, limits, jobEffects }) },
    expire: (tx: Tx, now: number) => purgeSentDrafts(tx, now - SENT_KEPT_MS),
    secure: (tx: Tx, { accountId, now }: Securing) => cancelSchedules(tx, accountId, now),
    tables: [DRAFT_FILES, DRAFTS],
    exports: [draftFileExport],
  };
});
