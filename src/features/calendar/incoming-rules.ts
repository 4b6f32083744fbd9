import { newId } from '../../kernel/ids.ts';
import type { Limits, Tier } from '../../kernel/limits.ts';
import type { Tx } from '../../kernel/transaction.ts';
import type { CalendarMail } from '../../mail/calendar-data.ts';
import { findAccount } from '../accounts/account-rules.ts';
import { quotasOf } from '../login/access-rules.ts';
import type { CalendarEvent } from './calendar-data.ts';
import type { EventRules } from './event-rules.ts';
import { findEvent } from './event-store.ts';
import type { Invitation } from './invitation-data.ts';
import { invitationByUid, invitationsOf, saveInvitation } from './invitation-store.ts';

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

export interface IncomingDeps {
  events: EventRules;
  limits: Pick<Limits, Tier>;
  mailDomain: string;
}

/** What an invitation says about its event. */
const fieldsOf = ({ summary, description, location, startAt, endAt, allDay, sequence }: CalendarMail) => ({
  ...{ summary, description, location, startAt, endAt, allDay, sequence },
});

/** Applies invitations, their changes and answers that arrive by mail. What does not fit is ignored: the mail is there. */
export class IncomingRules {
  readonly #deps: IncomingDeps;

  constructor(deps: IncomingDeps) {
    this.#deps = deps;
  }

  /** A repeated call changes nothing. */
  async apply(tx: Tx, mail: IncomingMail, now: number): Promise<void> {
    const { method } = mail.calendar;
    if (method === 'REPLY') return this.#answer(tx, mail, now);
    // A calendar that is passed on, or that names another organizer than its sender, invites nobody.
    if (mail.calendar.organizer !== mail.from.toLowerCase()) return;
    if (method === 'REQUEST') return this.#invite(tx, mail, now);
    return this.#cancel(tx, mail, now);
  }

  /** Sets the status of an attendee. Only proof of the sender's address counts, and no answer to an older event. */
  async #answer(tx: Tx, { accountId, address, from, isProven, calendar }: IncomingMail, now: number): Promise<void> {
    const sender = from.toLowerCase();
    const answer = calendar.attendees.find((attendee) => attendee.address === sender)?.status;
    const id = calendar.uid.endsWith(`@${this.#deps.mailDomain}`) ? calendar.uid.split('@', 1)[0] : undefined;
    if (!isProven || id === undefined || answer === undefined || answer === 'invited') return;
    await this.#deps.events.touch(tx, accountId, now);
    const event = await findEvent(tx, accountId, id);
    const invitation = (await invitationsOf(tx, accountId, [id])).get(id);
    if (!event || invitation?.organizer !== address || calendar.sequence < event.sequence) return;
    const known = invitation.attendees.find((attendee) => attendee.address.toLowerCase() === sender);
    if (!known || known.status === 'not_invited' || known.status === answer) return;
    const attendees = invitation.attendees.map((attendee) =>
      attendee === known ? { address: known.address, status: answer } : attendee,
    );
    await saveInvitation(tx, { ...invitation, attendees });
    await this.#deps.events.announce(tx, event, 'updated', now);
  }

  /** Adds a pending event, or changes the one of an earlier invitation. Nothing is ever accepted here. */
  async #invite(tx: Tx, mail: IncomingMail, now: number): Promise<void> {
    const { accountId, address, isProven, calendar } = mail;
    if (!calendar.attendees.some((attendee) => attendee.address === address)) return;
    await this.#deps.events.touch(tx, accountId, now);
    const known = await invitationByUid(tx, accountId, calendar.uid);
    if (known) return this.#change(tx, known, mail, false, now);
    const account = await findAccount(tx, accountId);
    if (!account) return;
    const { payer } = await quotasOf(tx, account, this.#deps.limits);
    const event = { id: newId('evt', now), accountId, ...fieldsOf(calendar), createdAt: now, updatedAt: now };
    const added: CalendarEvent = { ...event, attendees: calendar.attendees.map((attendee) => attendee.address) };
    if (!(await this.#deps.events.add(tx, added, payer.limits.calendar_events, now))) return;
    const { organizer, uid, rrule, attendees } = calendar;
    const state = { response: null, isCancelled: false, isVerified: isProven };
    await saveInvitation(tx, {
      eventId: added.id,
      accountId,
      organizer,
      invited: address,
      uid,
      rrule,
      attendees,
      ...state,
    });
  }

  async #cancel(tx: Tx, mail: IncomingMail, now: number): Promise<void> {
    await this.#deps.events.touch(tx, mail.accountId, now);
    const known = await invitationByUid(tx, mail.accountId, mail.calendar.uid);
    if (known && !known.isCancelled) await this.#change(tx, known, mail, true, now);
  }

  async #change(tx: Tx, known: Invitation, mail: IncomingMail, isCancelled: boolean, now: number): Promise<void> {
    const { accountId, isProven, calendar } = mail;
    if (known.organizer !== calendar.organizer || (known.isVerified && !isProven)) return;
    const event = await findEvent(tx, accountId, known.eventId);
    if (!event) return;
    const isNewer = calendar.sequence > event.sequence;
    if (!(isNewer || (isCancelled && calendar.sequence === event.sequence))) return;
    const { attendees, rrule } = calendar;
    const changed: CalendarEvent = isCancelled
      ? { ...event, sequence: calendar.sequence, updatedAt: now }
      : { ...event, ...fieldsOf(calendar), attendees: attendees.map(({ address }) => address), updatedAt: now };
    const isMoved = changed.startAt !== event.startAt || changed.endAt !== event.endAt || rrule !== known.rrule;
    await this.#deps.events.replace(tx, event, changed, now);
    await saveInvitation(tx, {
      ...known,
      ...(isCancelled ? {} : { attendees, rrule }),
      // Whoever accepted one time has not accepted another.
      response: isMoved && !isCancelled ? null : known.response,
      isCancelled,
      isVerified: known.isVerified || isProven,
    });
  }
}
