import { exported, type RecordOf } from '../../db/column-map.ts';
import { table } from '../../db/table.ts';
import type { Occurrence } from '../../mail/calendar/occurrence.ts';

/**
 * What became of an attendee. `not_invited`: no mail went out, and `reason` says why. `held`: the mail waits for a review.
 * `invited`: no answer yet.
 */
export const ATTENDEE_STATES = ['not_invited', 'held', 'invited', 'accepted', 'declined', 'tentative'] as const;
export type AttendeeState = (typeof ATTENDEE_STATES)[number];

/** What an agent answers an invitation. */
export const RESPONSES = ['accepted', 'declined', 'tentative'] as const;
export type Response = (typeof RESPONSES)[number];

export interface AttendeeStatus {
  address: string;
  status: AttendeeState;
  /** The code of the error that refused the mail, or `rejected` or `expired` for one that no operator let go. */
  reason?: string;
  /** The time that the attendee proposes instead (COUNTER, RFC 5546 3.2.7), ISO 8601. */
  proposal?: { start: string; end: string };
}

/** A change of an invitation that came by mail, without proof that its organizer wrote it. Nothing of it is applied. */
export interface Proposal extends Omit<Occurrence, 'recurrenceId'> {
  /** The day of a series that it would change; null: the event. */
  recurrenceId: number | null;
}

/** What an event with invitations has beside the event. An own event without attendees has none. */
export const INVITATIONS = table(
  'calendar_invitations',
  {
    eventId: exported.text('event_id'),
    accountId: exported.text('account_id'),
    /** Who invites: an address of the account, or somebody else. Null: nobody could be invited. */
    organizer: exported.text('organizer').orNull(),
    /** The address of the account that was invited; null for an event of its own. */
    invited: exported.text('invited').orNull(),
    /** The organizer's id of the event; null for an event of its own. */
    uid: exported.text('uid').orNull(),
    /** RFC 5545 3.3.10, as the organizer wrote it. */
    rrule: exported.text('rrule').orNull(),
    /** The answer to an invitation; null while it is pending. */
    response: exported.enum<Response>()('response').orNull(),
    attendees: exported.json<AttendeeStatus[]>()('attendees'),
    /** When the day begins by its rule, if the invitation is to one day of a series only. Milliseconds. */
    recurrenceId: exported.integer('recurrence_id').orNull(),
    /** Days of the series that are not as the rule says. */
    occurrences: exported.json<Occurrence[]>()('occurrences').orNull(),
    isCancelled: exported.flag('is_cancelled'),
    /** The invitation came from its organizer, as DMARC says. Only such mail changes an event. */
    isVerified: exported.flag('is_verified'),
    /** A received invitation that the account has never accepted. It does not count as an event of the account. */
    isWaiting: exported.flag('is_waiting'),
    proposal: exported.json<Proposal>()('proposal').orNull(),
  },
  { key: ['eventId'], account: ['accountId'], erase: 'delete' },
);
export type Invitation = RecordOf<typeof INVITATIONS>;

/** The mail of an invitation that waits for a review. */
export const HELD_INVITATIONS = table(
  'calendar_held_mails',
  {
    outboxId: exported.text('outbox_id'),
    accountId: exported.text('account_id'),
    eventId: exported.text('event_id'),
    address: exported.text('address'),
    /** What the attendee was before. */
    was: exported.enum<AttendeeState>()('was'),
  },
  { key: ['outboxId'], account: ['accountId'], erase: 'delete' },
);
export type HeldInvitation = RecordOf<typeof HELD_INVITATIONS>;
