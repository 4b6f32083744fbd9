import type { AccountNotification } from '../../../api/account/removal-notices.ts';
import { type JobAttempt, type JobOutcome, notBefore } from '../../../api/job-types.ts';
import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { SETTING_CHANGES } from '../../service/settings/setting-change-table.ts';
import { purgeSettingChanges, SettingHistory } from '../../service/settings/setting-history.ts';
import { NoticeRules } from './notice.ts';
import { createNotifier } from './notice-mailer.ts';
import { noticeRoutes } from './notice-routes.ts';
import { NOTICE_UNDOS, NOTICES } from './notice-table.ts';
import { waitingRemovals } from './waiting-removals.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Removes what was announced, unless the notice is gone. */
    'notice.end': { noticeId: string };
    /** Tells a person what happened to an account. */
    'mail.told': { to: string } & AccountNotification;
  }
}

type Needs = FeatureContext & Contributions & { mailer: LinkMailer };

/**
 * Removals of old factors: announced, undone, carried out. Features say what they remove in `notices`. And what settings
 * were while they are young.
 */
export const noticesFeature = feature('notices', (needs: Needs) => {
  const { config, database, events, jobs, mailer } = needs;
  const notices = new NoticeRules({
    ...needs,
    mailDomain: config.mailDomain,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
  });
  return {
    tables: [NOTICES, NOTICE_UNDOS, SETTING_CHANGES],
    expire: purgeSettingChanges,
    endpoints: noticeRoutes(notices, database),
    jobs: {
      'notice.end': async ({ payload, now }: JobAttempt<'notice.end'>): Promise<JobOutcome> => {
        const endsAt = await notices.endOf(database, payload.noticeId);
        if (endsAt !== null && endsAt > now) return notBefore(endsAt);
        return { status: 'done', complete: (tx) => notices.carryOut(tx, payload.noticeId, now) };
      },
      'mail.told': createNotifier(mailer),
    },
    waiting: { removal: { list: waitingRemovals } },
    provides: { notices, settingHistory: new SettingHistory(notices) },
  };
});
