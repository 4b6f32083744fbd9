import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { WaitFor } from '../../kernel/wait.ts';
import { openGuard, publicGuard } from '../../push/webhook-guard.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { MailPolicyRules } from '../mail-policy/mail-policy-rules.ts';
import { createArrivals } from './arrival-rules.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { BlobPurge } from './blob-rules.ts';
import { createEmptying, createPurging } from './emptying-job.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { mailErasures } from './mail-erasure-rules.ts';
import { mailExports } from './mail-export-rules.ts';
import { mailWaitRoutes } from './mail-wait-routes.ts';
import { createMailboxRules } from './mailbox-rules.ts';
import { messageRoutes } from './message-routes.ts';
import { pictureRoutes } from './picture-routes.ts';
import { PictureRules } from './picture-rules.ts';
import { quarantineRoutes } from './quarantine-routes.ts';
import { countQuarantined, expireQuarantine } from './quarantine-rules.ts';
import { reindex } from './reindex-job.ts';
import { createRetaining } from './retention-job.ts';
import type { Trashed } from './trash-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Deletes a message 30 days after it came to the trash. */
    'mailbox.purge': Trashed;
  }
}

type Needs = FeatureContext & {
  addresses: AddressRules;
  waitFor: WaitFor;
  mailPolicy: Pick<MailPolicyRules, 'requireReleaser' | 'noteRead'>;
};

/** For what a crash left. What is deleted is removed at once. */
const PURGE_EVERY_MS = 60_000;

/** The mail of an address. Agents read, search and label it; other features deliver into it. */
export const mailboxesFeature = feature(
  'mailboxes',
  ({
    config,
    database,
    events,
    jobs,
    jobEffects,
    addresses,
    waitFor,
    mailPolicy,
    limits,
    now,
    overrides,
    onFault,
  }: Needs) => {
    // In development, pictures may also come from private networks and this machine.
    const guard = config.development ? openGuard() : publicGuard();
    const arrivals = createArrivals(overrides.settleMs);
    const mailboxes = createMailboxRules(database, addresses, arrivals, (messages) =>
      mailPolicy.noteRead(database, messages, now()),
    );
    const purge = new BlobPurge(database, now, (err) => onFault(err, 'large mails could not be removed'));
    return {
      jobs: {
        'mailbox.empty': createEmptying(database, jobEffects),
        'mailbox.purge': createPurging(jobEffects),
        'mailbox.retain': createRetaining(database, jobs.enqueue, jobEffects),
      },
      erases: [...mailErasures, rowsOf('quarantined_messages', ['message_id'])],
      exports: mailExports,
      endpoints: [
        ...messageRoutes({ mailboxes, database, waitFor, enqueueJob: jobs.enqueue }),
        ...mailWaitRoutes({ mailboxes, database, waitFor }),
        ...attachmentRoutes({ mailboxes, database }),
        ...pictureRoutes({ mailboxes, pictures: new PictureRules({ database, limits, guard }) }),
        ...inboxRoutes({ mailboxes, database, waitFor }),
        ...quarantineRoutes({
          database,
          appendEvents: events.appendAll,
          requireReleaser: (reader, principal) => mailPolicy.requireReleaser(reader, principal),
        }),
      ],
      expire: (tx: Tx, at: number) => expireQuarantine(tx, jobEffects, at - limits.quarantine_ttl_seconds * 1000, at),
      openItems: { quarantined: countQuarantined },
      timers: [{ everyMs: PURGE_EVERY_MS, run: () => purge.run() }],
      open: async () => purge.open(),
      stop: () => purge.stop(),
      recover: (isStopping: () => boolean) => reindex(database, isStopping),
      provides: { mailboxes, arrivals },
    };
  },
);
