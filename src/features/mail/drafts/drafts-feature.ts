import type { Securing } from '../../../api/account/lockdown-parts.ts';
import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { cancelSchedules, type DraftDeps, DraftRules, purgeSentDrafts, removeUntouched } from './draft.ts';
import { draftErasure } from './draft-erasure.ts';
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

type Needs = FeatureContext & Pick<DraftDeps, 'mailboxes' | 'outbox' | 'storage'> & { parser: MimeParser };

/** How long a sent draft says that it was sent. */
const SENT_KEPT_MS = 30 * DAY_MS;

/** How long a draft stays that an editor saved by itself, after its last change. */
const UNTOUCHED_KEPT_MS = 7 * DAY_MS;

/** Drafts, and mail that is sent later. */
export const draftsFeature = feature('drafts', (needs: Needs) => {
  const deps: DraftDeps = {
    ...needs,
    mailDomain: needs.config.mailDomain,
    readWritten: needs.parser.readWritten,
    enqueueJob: needs.jobs.enqueue,
    appendEvent: needs.events.append,
  };
  const drafts = new DraftRules(deps);
  return {
    endpoints: draftRoutes(drafts, deps.database),
    jobs: { 'draft.send': createScheduled(drafts, deps) },
    async expire(tx: Tx, now: number) {
      await purgeSentDrafts(tx, now - SENT_KEPT_MS);
      await removeUntouched(tx, deps.jobEffects, now - UNTOUCHED_KEPT_MS, now);
    },
    secure: (tx: Tx, { accountId, now }: Securing) => cancelSchedules(tx, accountId, now),
    tables: [DRAFT_FILES, DRAFTS],
    exports: [draftFileExport],
    erases: [draftErasure],
    provides: { drafts },
  };
});
