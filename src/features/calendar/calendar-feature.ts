import { exportOf } from '../../db/account-export.ts';
import { rowsOf } from '../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import type { Securing } from '../../kernel/securing.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { CalendarParser } from '../../mail/calendar-parser.ts';
import type { MimeParser } from '../../mail/mime.ts';
import type { MailboxRules } from '../mailboxes/mailbox-rules.ts';
import type { OutboxRules } from '../outbox/outbox-rules.ts';
import { CALENDAR_EVENTS, FEED_TOKEN } from './calendar-data.ts';
import { createCalendarReader, queueCalendars } from './calendar-mail-job.ts';
import { EventChangeRules } from './event-change-rules.ts';
import { calendarEventRoutes } from './event-routes.ts';
import { EventRules } from './event-rules.ts';
import { feedRoutes } from './feed-routes.ts';
import { FeedRules } from './feed-rules.ts';
import { createDecided, queueDecided } from './held-invitation-job.ts';
import { IncomingRules } from './incoming-rules.ts';
import { HELD_INVITATIONS, INVITATIONS } from './invitation-data.ts';
import { InvitationRules } from './invitation-rules.ts';

declare module '../../kernel/jobs.ts' {
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
    exports: [
      exportOf({ table: 'calendar_events', columns: CALENDAR_EVENTS, key: ['start_at', 'id'] }),
      exportOf({ table: 'calendar_invitations', columns: INVITATIONS, key: ['event_id'] }),
      exportOf({ table: 'calendar_held_mails', columns: HELD_INVITATIONS, key: ['outbox_id'] }),
    ],
    erases: [
      rowsOf('calendar_held_mails', ['outbox_id']),
      rowsOf('calendar_invitations', ['event_id']),
      rowsOf('calendar_events', ['id']),
      rowsOf('calendars', ['account_id']),
    ],
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
