import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../api/transaction.ts';
import { iso } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { CalendarMail } from '../../mail/calendar/itip-message.ts';
import { OCCURRENCES_MAX, type Occurrence } from '../../mail/calendar/occurrence.ts';
import { findAccount } from '../account/accounts/account-lifecycle.ts';
import type { CalendarDeps, EventRules } from './calendar-event.ts';
import { findEvent } from './calendar-event-store.ts';
import { ensureCalendar } from './calendar-store.ts';
import type { CalendarEvent } from './calendar-table.ts';
import {
  deleteInvitation,
  invitationByUid,
  invitationsOf,
  saveInvitation,
  type Waiting,
  waitingOf,
} from './invitation-store.ts';
import type { AttendeeStatus, Invitation, Proposal } from './invitation-table.ts';

/** A mail with a calendar, as its message shows it. */
export interface IncomingMail {
  accountId: string;
  /** The inbox. */
  address: string;
  /** Who wrote it. */
  from: string;
  /** Whether that is proven: aligned DMARC, or another agent of this service. */
  isProven: boolean;
  calendar: CalendarMail;
}

/** What an invitation says about its event. */
const fieldsOf = ({ summary, description, location, startAt, endAt, allDay, sequence }: CalendarMail) => ({
  summary,
  description,
  location,
  startAt,
  endAt,
  allDay,
  sequence,
});

const isNewer = (day: Occurrence, known: Occurrence | undefined): boolean =>
  known === undefined ||
  day.sequence > known.sequence ||
  (day.sequence === known.sequence && day.isCancelled && !known.isCancelled);

const recurrenceOf = ({ isWhole, occurrences }: CalendarMail): number | null =>
  isWhole ? null : (occurrences[0]?.recurrenceId ?? null);

/** What an invitation says about those who come, and about the days of a series. */
const seriesOf = (calendar: CalendarMail) => ({
  attendees: calendar.attendees,
  rrule: calendar.rrule,
  recurrenceId: recurrenceOf(calendar),
  occurrences: calendar.isWhole ? inOrder(calendar.occurrences) : null,
});

/** What a message about single days says about one of them. */
const aboutDay = (calendar: CalendarMail, { recurrenceId, isCancelled, ...day }: Occurrence): CalendarMail => ({
  ...calendar,
  ...day,
  occurrences: [{ recurrenceId, isCancelled, ...day }],
});

/** By time. Of too many, the latest stay. */
const inOrder = (days: readonly Occurrence[]): Occurrence[] =>
  days.toSorted((a, b) => a.recurrenceId - b.recurrenceId).slice(-OCCURRENCES_MAX);

const timeOf = ({ startAt, endAt }: CalendarMail) => ({ start: iso(startAt), end: iso(endAt) });

const proposalOf = (calendar: CalendarMail, isCancelled: boolean): Proposal => {
  const { sequence, summary, location, startAt, endAt } = calendar;
  return { recurrenceId: recurrenceOf(calendar), sequence, isCancelled, summary, location, startAt, endAt };
};

const isSame = (a: AttendeeStatus['proposal'], b: AttendeeStatus['proposal']): boolean =>
  a?.start === b?.start && a?.end === b?.end;

/** Applies invitations, their changes and answers that arrive by mail. What does not fit is ignored: the mail is there. */
export class IncomingRules {
  readonly #deps: CalendarDeps;
  readonly #events: EventRules;

  constructor(deps: CalendarDeps, events: EventRules) {
    this.#deps = deps;
    this.#events = events;
  }

  /** A repeated call changes nothing. */
  async apply(tx: Tx, mail: IncomingMail, now: number): Promise<void> {
    const { method } = mail.calendar;
    if (method === 'REPLY' || method === 'COUNTER') return this.#answer(tx, mail, now);
    // A calendar that is passed on, or that names another organizer than its sender, is no invitation.
    if (mail.calendar.organizer !== mail.from.toLowerCase()) return;
    if (method === 'REQUEST') return this.#invite(tx, mail, now);
    return this.#cancel(tx, mail, now);
  }

  /**
   * Sets the status of an attendee, and the proposed time. Only proof of the sender's address counts, and no answer to
   * an older event.
   */
  async #answer(tx: Tx, { accountId, address, from, isProven, calendar }: IncomingMail, now: number): Promise<void> {
    const sender = from.toLowerCase();
    const answer = calendar.attendees.find((attendee) => attendee.address === sender)?.status;
    const id = calendar.uid.endsWith(`@${this.#deps.mailDomain}`) ? calendar.uid.split('@', 1)[0] : undefined;
    const isCounter = calendar.method === 'COUNTER';
    if (!isProven || id === undefined || answer === undefined || (answer === 'invited' && !isCounter)) return;
    await this.#events.touch(tx, accountId, now);
    const event = await findEvent(tx, accountId, id);
    const invitation = (await invitationsOf(tx, accountId, [id])).get(id);
    if (!event || invitation?.organizer !== address || calendar.sequence < event.sequence) return;
    const known = invitation.attendees.find((attendee) => attendee.address.toLowerCase() === sender);
    if (!known || known.status === 'not_invited') return;
    const status = answer === 'invited' ? known.status : answer;
    const answered = { address: known.address, status, ...(isCounter ? { proposal: timeOf(calendar) } : {}) };
    if (status === known.status && isSame(answered.proposal, known.proposal)) return;
    const attendees = invitation.attendees.map((attendee) => (attendee === known ? answered : attendee));
    await saveInvitation(tx, { ...invitation, attendees });
    await this.#events.announce(tx, event, 'updated', now);
  }

  /** Adds a pending event if there is room, or changes the one of an earlier invitation. Nothing is ever accepted here. */
  async #invite(tx: Tx, mail: IncomingMail, now: number): Promise<void> {
    const { accountId, address, isProven, calendar } = mail;
    if (!calendar.attendees.some((attendee) => attendee.address === address)) return;
    if (!(await findAccount(tx, accountId))) return;
    await ensureCalendar(tx, accountId, now);
    await this.#events.touch(tx, accountId, now);
    const known = await invitationByUid(tx, accountId, calendar.uid);
    if (known) return this.#changeKnown(tx, known, mail, false, now);
    if (!(await this.#makeRoom(tx, mail, now))) return;
    const event = { id: newId('evt', now), accountId, ...fieldsOf(calendar), createdAt: now, updatedAt: now };
    const added: CalendarEvent = { ...event, attendees: calendar.attendees.map((attendee) => attendee.address) };
    await this.#events.receive(tx, added, now);
    const { organizer, uid } = calendar;
    const state = { response: null, isCancelled: false, isVerified: isProven, isWaiting: true, proposal: null };
    await saveInvitation(tx, {
      eventId: added.id,
      accountId,
      organizer,
      invited: address,
      uid,
      ...seriesOf(calendar),
      ...state,
    });
  }

  /**
   * Makes room for one more invitation that waits. When a sender or a calendar has as many as may wait, the oldest
   * unproven invitation goes. If all are proven, a proven newcomer takes the place of the oldest that is done or over.
   * So forged mail never drives out a proven invitation.
   * @returns false when none may go
   */
  async #makeRoom(tx: Tx, { accountId, isProven, calendar }: IncomingMail, now: number): Promise<boolean> {
    const { limits } = this.#deps;
    const waiting = await waitingOf(tx, accountId);
    const ofSender = waiting.filter(({ organizer }) => organizer === calendar.organizer);
    const isSenderFull = ofSender.length >= limits.calendar_invitations_per_sender;
    if (!isSenderFull && waiting.length < limits.calendar_invitations) return true;
    const full = isSenderFull ? ofSender : waiting;
    const unproven = full.find(({ isVerified }) => !isVerified);
    const leaving = unproven ?? (isProven ? await this.#pastOf(tx, accountId, full, now) : undefined);
    if (leaving === undefined) return false;
    await deleteInvitation(tx, leaving.eventId);
    await this.#events.remove(tx, accountId, leaving.eventId, true, now);
    return true;
  }

  /** The oldest that is done or over. It looks at no more than may wait: an earlier version let more of them in. */
  async #pastOf(tx: Tx, accountId: string, waiting: readonly Waiting[], now: number): Promise<Waiting | undefined> {
    for (const each of waiting.slice(0, this.#deps.limits.calendar_invitations)) {
      if (each.isDone) return each;
      if (!each.isSeries && ((await findEvent(tx, accountId, each.eventId))?.endAt ?? 0) <= now) return each;
    }
    return undefined;
  }

  /** Keeps a change beside the event, for its account to see. */
  async #propose(tx: Tx, event: CalendarEvent, known: Invitation, proposal: Proposal, now: number): Promise<void> {
    if (isDeepStrictEqual(proposal, known.proposal)) return;
    await saveInvitation(tx, { ...known, proposal });
    await this.#events.announce(tx, event, 'updated', now);
  }

  async #cancel(tx: Tx, mail: IncomingMail, now: number): Promise<void> {
    await this.#events.touch(tx, mail.accountId, now);
    const known = await invitationByUid(tx, mail.accountId, mail.calendar.uid);
    if (known && !known.isCancelled) await this.#changeKnown(tx, known, mail, true, now);
  }

  async #changeKnown(tx: Tx, known: Invitation, mail: IncomingMail, isCancelled: boolean, now: number): Promise<void> {
    const { calendar } = mail;
    if (calendar.isWhole) return this.#change(tx, known, mail, isCancelled, now);
    if (known.rrule !== null) return this.#changeDays(tx, known, mail, now);
    // An invitation to one day of a series, without the series, is a separate event. No other day concerns it, and no
    // day concerns an event whose rule is not known.
    const day = calendar.occurrences.find(({ recurrenceId }) => recurrenceId === known.recurrenceId);
    if (day) await this.#change(tx, known, { ...mail, calendar: aboutDay(calendar, day) }, isCancelled, now);
  }

  /** Changes or cancels single days of a series. Each day has its own sequence (RFC 5546 2.1.5). */
  async #changeDays(tx: Tx, known: Invitation, { accountId, isProven, calendar }: IncomingMail, now: number) {
    if (known.organizer !== calendar.organizer || (known.isVerified && !isProven)) return;
    const event = await findEvent(tx, accountId, known.eventId);
    const days = new Map((known.occurrences ?? []).map((day) => [day.recurrenceId, day]));
    const newer = calendar.occurrences.filter((day) => isNewer(day, days.get(day.recurrenceId)));
    const [first] = newer;
    if (!event || first === undefined) return;
    if (!isProven) return this.#propose(tx, event, known, first, now);
    for (const day of newer) days.set(day.recurrenceId, day);
    const occurrences = inOrder([...days.values()]);
    await this.#events.replace(tx, event, { ...event, updatedAt: now }, now);
    await saveInvitation(tx, { ...known, occurrences, isVerified: true, proposal: null });
  }

  async #change(tx: Tx, known: Invitation, mail: IncomingMail, isCancelled: boolean, now: number): Promise<void> {
    const { accountId, isProven, calendar } = mail;
    if (known.organizer !== calendar.organizer || (known.isVerified && !isProven)) return;
    const event = await findEvent(tx, accountId, known.eventId);
    if (!event) return;
    const isNewer = calendar.sequence > event.sequence;
    if (!(isNewer || (isCancelled && calendar.sequence === event.sequence))) return;
    if (!isProven) return this.#propose(tx, event, known, proposalOf(calendar, isCancelled), now);
    const { attendees, rrule } = calendar;
    const changed: CalendarEvent = isCancelled
      ? { ...event, sequence: calendar.sequence, updatedAt: now }
      : { ...event, ...fieldsOf(calendar), attendees: attendees.map(({ address }) => address), updatedAt: now };
    const isMoved = changed.startAt !== event.startAt || changed.endAt !== event.endAt || rrule !== known.rrule;
    await this.#events.replace(tx, event, changed, now);
    await saveInvitation(tx, {
      ...known,
      ...(isCancelled ? {} : seriesOf(calendar)),
      // To accept one time is not to accept another.
      response: isMoved && !isCancelled ? null : known.response,
      isCancelled,
      isVerified: true,
      proposal: null,
    });
  }
}
