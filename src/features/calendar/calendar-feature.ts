import type { Securing } from '../../api/account/lockdown-parts.ts';
import type { Tx } from '../../api/transaction.ts';
import { exportOf } from '../../db/account-export.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import { CalendarParser } from '../../mail/calendar/calendar-parser.ts';
import type { MimeParser } from '../../mail/reading/mime-parser.ts';
import type { MailboxRules } from '../mail/mailboxes/mailbox.ts';
import type { OutboxRules } from '../mail/outbox/sent-mail.ts';
import { EventRules } from './calendar-event.ts';
import { EventChangeRules } from './calendar-event-change.ts';
import { calendarEventRoutes } from './calendar-event-routes.ts';
import { FeedRules } from './calendar-feed.ts';
import { createCalendarReader, queueCalendars } from './calendar-mail-job.ts';
import { CALENDAR_EVENTS, CALENDARS, FEED_TOKEN } from './calendar-table.ts';
import { feedRoutes } from './feed-routes.ts';
import { createDecided, queueDecided } from './held-invitation-job.ts';
import { IncomingRules } from './incoming-invitation.ts';
import { InvitationRules } from './invitation.ts';
import { HELD_INVITATIONS, INVITATIONS } from './invitation-table.ts';

declare module '../../api/job-types.ts' {
  interface JobPayloads {
    /** Reads the calendar in a mail. */
    'calendar.mail': { address: string; messageId: string };
  }
}

type Needs = FeatureContext & { mailboxes: MailboxRules; outbox: OutboxRules; parser: MimeParser };

/** The calendar of each account, and the feed that calendar programs subscribe to. */
export const calendarFeature = feature('calendar', (needs: Needs) => {
  const { config, database, events, baseUrl, secrets, limits, jobs, mailboxes, outbox } = needs;
  const { mailDomain } = config;
  const { sealer, formerKey } = secrets;
  const feeds = new FeedRules({ database, mailDomain, sealer, formerKey, watchCache: needs.metrics.cache });
  const rules = new EventRules(events.append);
  const { readWritten } = needs.parser;
  const invitations = new InvitationRules({ database, mailboxes, outbox, mailDomain, baseUrl, readWritten });
  const parser = new CalendarParser(needs.overrides.readingMs);
  const incoming = new IncomingRules({ events: rules, limits, mailDomain });
  events.watchType('email.received', queueCalendars(jobs.enqueue));
  const queue = queueDecided(jobs.enqueue);
  events.watchType('email.released', (tx, { data, now }) => queue(tx, data.id, null, now));
  events.watchType('email.rejected', (tx, { data, now }) => queue(tx, data.id, data.reason, now));
  return {
    tables: [HELD_INVITATIONS, INVITATIONS, CALENDAR_EVENTS, CALENDARS],
    exports: [exportOf({ table: 'calendar_events', columns: CALENDAR_EVENTS, key: ['start_at', 'id'] })],
    endpoints: [
      ...calendarEventRoutes({ changes: new EventChangeRules({ database, events: rules, invitations }), database }),
      ...feedRoutes({ rules: feeds, baseUrl }),
    ],
    jobs: {
      'calendar.mail': createCalendarReader({ database, parser, incoming }),
      'calendar.held': createDecided({ database, events: rules }),
    },
    stop: () => parser.close(),
    sealed: [FEED_TOKEN],
    secure: (tx: Tx, { accountId, now }: Securing) => feeds.replaceLink(tx, accountId, now),
    open: () => feeds.copyDerivedLinks(),
  };
});
