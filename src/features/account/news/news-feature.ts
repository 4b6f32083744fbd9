import type { AccountNotification } from '../../../api/account/removal-notices.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { AGENT_NEWS } from './agent-news.ts';
import { BUNDLED_NEWS } from './news-table.ts';
import { type NewsDeps, PersonNews } from './person-news.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Mails a person news of an agent, or keeps it for the next mail. */
    'mail.news': { to: string; accountId: string } & AccountNotification;
    /** Mails a person the news that waited. */
    'mail.bundle': { email: string };
  }
}

type Needs = FeatureContext & Pick<NewsDeps, 'mailer' | 'notices'>;

/** News of agents by mail, as often as each person wants it. What people must know or decide is mailed elsewhere, at once. */
export const newsFeature = feature('news', (needs: Needs) => {
  const { events, jobs } = needs;
  const news = new PersonNews({ ...needs, enqueueJob: jobs.enqueue });
  events.watchType('sending.paused', (tx, { accountId, data, now }) =>
    news.tell(tx, accountId, AGENT_NEWS['sending.paused'](data, accountId), now),
  );
  events.watchType('storage.filling', (tx, { accountId, data, now }) =>
    news.tell(tx, accountId, AGENT_NEWS['storage.filling'](data, accountId), now),
  );
  events.watchType('budget.limit_reached', (tx, { accountId, data, now }) =>
    news.tell(tx, accountId, AGENT_NEWS['budget.limit_reached'](data, accountId), now),
  );
  return {
    tables: [BUNDLED_NEWS],
    jobs: { 'mail.news': news.mailOne, 'mail.bundle': news.mailBundle },
    provides: { news },
  };
});
