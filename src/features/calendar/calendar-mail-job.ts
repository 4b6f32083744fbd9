import type { EnqueueJob, JobAttempt, JobOutcome } from '../../api/job-types.ts';
import type { Database, Tx } from '../../api/transaction.ts';
import type { AppendedEvent } from '../../events/event-log.ts';
import type { CalendarParser } from '../../mail/calendar/calendar-parser.ts';
import { CALENDAR_BYTES_MAX } from '../../mail/calendar/itip-message.ts';
import { findMessage, readParts, requireAttachment } from '../mail/mailboxes/messages/message.ts';
import type { IncomingRules } from './incoming-invitation.ts';

const isCalendar = ({ contentType, sizeBytes }: { contentType: string; sizeBytes: number }): boolean =>
  contentType === 'text/calendar' && sizeBytes <= CALENDAR_BYTES_MAX;

/** Makes the function that queues a mail for reading when it has attachments. A sealed mail cannot be read. */
export const queueCalendars =
  (enqueueJob: EnqueueJob) =>
  async (tx: Tx, { data, now, readableFiles }: AppendedEvent<'email.received'>): Promise<void> => {
    if (!readableFiles) return;
    const payload = { address: data.address, messageId: data.message_id };
    await enqueueJob(tx, { kind: 'calendar.mail', payload, runAt: now });
  };

/** Makes the handler that reads the calendar in a mail. */
export function createCalendarReader(database: Database, parser: CalendarParser, incoming: IncomingRules) {
  return async ({ payload, now }: JobAttempt<'calendar.mail'>): Promise<JobOutcome> => {
    const message = await findMessage(database, payload.address, payload.messageId);
    if (!message || message.encryption !== null) return { status: 'done' };
    const part = (await readParts(database, message)).attachments.find(isCalendar);
    if (!part) return { status: 'done' };
    const { content } = await requireAttachment(database, message, part.n);
    const { accountId, address, fromAddress: from, auth, senderKey } = message;
    const calendar = await parser.read(content, { network: senderKey ?? '', addresses: [address] });
    if (calendar === null) return { status: 'done' };
    const mail = { accountId, address, from, isProven: auth.verified_from, calendar };
    return { status: 'done', complete: (tx) => incoming.apply(tx, mail, now) };
  };
}
