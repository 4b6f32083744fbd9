import type { Tx } from '../../../api/transaction.ts';
import { openGuard, publicGuard } from '../../../base/outbound-guard.ts';
import { DAY_MS } from '../../../base/period.ts';
import { folderLog } from '../../../db/logs/folder-log.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { attachmentRoutes } from './content/attachment-routes.ts';
import { BlobPurge } from './content/blob.ts';
import { PictureRules } from './content/picture.ts';
import { pictureRoutes } from './content/picture-routes.ts';
import { createEmptying, createPurging } from './emptying-job.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { mailErasures } from './mail-erasure.ts';
import { mailExport } from './mail-export.ts';
import { createMailboxRules, type MailboxDeps } from './mailbox.ts';
import { waitingFailedMails } from './messages/failed-mails.ts';
import { mailWaitRoutes } from './messages/mail-wait-routes.ts';
import { messageRoutes } from './messages/message-routes.ts';
import { SENDERS } from './messages/sender-table.ts';
import { OUTBOX, SENT_CONTENTS, SENT_TEXTS } from './messages/sent-table.ts';
import type { TrashedMessage } from './messages/trash.ts';
import { waitingCodes } from './messages/unread-codes.ts';
import { createArrivals } from './pending-parses.ts';
import { quarantineRoutes } from './quarantine/quarantine-routes.ts';
import { QUARANTINED } from './quarantine/quarantine-table.ts';
import { expireQuarantine } from './quarantine/quarantined-mail.ts';
import { waitingQuarantine } from './quarantine/waiting-quarantine.ts';
import { createRetaining } from './retention-job.ts';
import { searchedMail } from './search/found-mail.ts';
import { reindex } from './search/reindex-job.ts';
import { forgetVanished } from './uids/folder-uids.ts';
import { FOLDERS_OPENED, UIDS, VANISHED } from './uids/uid-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Deletes a message 30 days after it came to the trash. */
    'mailbox.purge': TrashedMessage;
  }
}

type Needs = FeatureContext & Pick<MailboxDeps, 'addresses' | 'gate' | 'waitFor' | 'mailPolicy'>;

/** For what a crash left. What is deleted is removed at once. */
const PURGE_EVERY_MS = 60_000;

/** How long mail programs are told which UIDs went. */
const VANISHED_KEPT_MS = 30 * DAY_MS;

/** The mail of an address. Agents read, search and label it; other features deliver into it. */
export const mailboxesFeature = feature('mailboxes', (needs: Needs) => {
  const { config, database, events, jobs, jobEffects, limits, now, overrides, onFault } = needs;
  // In development, pictures may also come from private networks and this machine.
  const guard = config.development ? openGuard() : publicGuard();
  const arrivals = createArrivals(overrides.settleMs);
  const deps: MailboxDeps = { ...needs, enqueueJob: jobs.enqueue, appendEvents: events.appendAll };
  const mailboxes = createMailboxRules(deps, arrivals);
  // The UIDs of a released address begin anew, with another UIDVALIDITY.
  needs.addresses.onReleased((tx, _accountId, address) => folderLog.ends(tx, address));
  const purge = new BlobPurge(database, now, (err) => onFault(err, 'large mails could not be removed'));
  return {
    jobs: {
      'mailbox.empty': createEmptying(database, jobEffects),
      'mailbox.purge': createPurging(jobEffects),
      'mailbox.retain': createRetaining(database, jobs.enqueue, jobEffects),
    },
    erases: mailErasures,
    tables: [OUTBOX, SENT_TEXTS, SENT_CONTENTS, SENDERS, QUARANTINED, FOLDERS_OPENED, UIDS, VANISHED],
    exports: [mailExport],
    endpoints: [
      ...messageRoutes(mailboxes, deps),
      ...mailWaitRoutes(mailboxes, deps),
      ...attachmentRoutes(mailboxes, database),
      ...pictureRoutes(mailboxes, new PictureRules(database, limits, guard, needs.gate)),
      ...inboxRoutes(mailboxes, deps),
      ...quarantineRoutes(deps),
    ],
    async expire(tx: Tx, at: number) {
      await expireQuarantine(tx, jobEffects, at - limits.quarantine_ttl_seconds * 1000, at);
      await forgetVanished(tx, at - VANISHED_KEPT_MS, at);
    },
    waiting: {
      quarantined_mail: { list: waitingQuarantine },
      failed_mail: { list: waitingFailedMails },
      unread_code: { list: waitingCodes },
    },
    searches: [searchedMail],
    timers: [{ everyMs: PURGE_EVERY_MS, run: () => purge.run() }],
    open: async () => purge.open(),
    stop: () => purge.stop(),
    recover: (isStopping: () => boolean) => reindex(database, isStopping),
    provides: { mailboxes, arrivals },
  };
});
