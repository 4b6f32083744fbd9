import type { Securing } from '../../api/account/lockdown-parts.ts';
import type { Tx } from '../../api/transaction.ts';
import { exportOf } from '../../db/account-export.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import { CalendarParser } from '../../mail/calendar/calendar-parser.ts';
import type { MimeParser } from '../../mail/reading/mime-parser.ts';
import { type CalendarDeps, EventRules } from './calendar-event.ts';
import { EventChangeRules } from './calendar-event-change.ts';
import { calendarEventRoutes } from './calendar-event-routes.ts';
import { FeedRules } from './calendar-feed.ts';
import { createCalendarReader, queueCalendars } from './calendar-mail-job.ts';
import { CALENDAR_EVENTS, CALENDARS, FEED_TOKEN, KEY_FEED_TOKEN, KEY_FEEDS } from './calendar-table.ts';
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

type Needs = FeatureContext & Pick<CalendarDeps, 'gate' | 'mailboxes' | 'outbox'> & { parser: MimeParser };

/** The calendar of each account, and the feed that calendar programs subscribe to. */
export const calendarFeature = feature('calendar', (needs: Needs) => {
  const { database, events, jobs, baseUrl } = needs;
  const deps: CalendarDeps = {
    ...needs,
    mailDomain: needs.config.mailDomain,
    watchCache: needs.metrics.cache,
    readWritten: needs.parser.readWritten,
  };
  const feeds = new FeedRules(deps);
  const rules = new EventRules(events.append);
  const changes = new EventChangeRules(database, rules, new InvitationRules(deps));
  const parser = new CalendarParser(needs.overrides.readingMs);
  events.watchType('email.received', queueCalendars(jobs.enqueue));
  const queue = queueDecided(jobs.enqueue);
  events.watchType('email.released', (tx, { data, now }) => queue(tx, data.id, null, now));
  events.watchType('email.rejected', (tx, { data, now }) => queue(tx, data.id, data.reason, now));
  return {
    tables: [HELD_INVITATIONS, INVITATIONS, CALENDAR_EVENTS, CALENDARS, KEY_FEEDS],
    exports: [exportOf({ table: 'calendar_events', columns: CALENDAR_EVENTS, key: ['start_at', 'id'] })],
    endpoints: [...calendarEventRoutes(changes, database), ...feedRoutes(feeds, baseUrl)],
    jobs: {
      'calendar.mail': createCalendarReader(database, parser, new IncomingRules(deps, rules)),
      'calendar.held': createDecided(database, rules),
    },
    stop: () => parser.close(),
    sealed: [FEED_TOKEN, KEY_FEED_TOKEN],
    secure: (tx: Tx, { accountId, now }: Securing) => feeds.replaceLink(tx, accountId, now),
    open: () => feeds.copyDerivedLinks(),
  };
});
