import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import type { Database, Reader, Tx } from '../../api/transaction.ts';
import type { Draft } from '../mail/outbox/mail-composition.ts';
import {
  changedEvent,
  type EventFields,
  type EventQuery,
  type EventRules,
  listEventsOf,
  newEvent,
  readEvent,
  StaleEventError,
} from './calendar-event.ts';
import type { CalendarEvent, ShownEvent } from './calendar-table.ts';
import { deleteHeldOf } from './held-invitation-store.ts';
import type { InvitationRules, PreparedInvitations } from './invitation.ts';
import { deleteInvitation, invitationsOf, saveInvitation, withInvitations } from './invitation-store.ts';
import type { AttendeeStatus, Invitation, Response } from './invitation-table.ts';

/** The fields of a request, with the address that invites. */
type Fields = EventFields & { organizer?: string };

/** A change whose mails are composed, before its transaction. */
export interface ChangePlan extends ShownEvent {
  attendees: AttendeeStatus[];
  mails: PreparedInvitations;
}

export interface AnswerPlan {
  event: CalendarEvent;
  response: Response;
  draft: Draft;
}

/** Tries again while others change the event between the plan and the transaction. Each time, one of them succeeded. */
export async function untilFresh<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (err) {
      if (!(err instanceof StaleEventError)) throw err;
    }
  }
}

/** Reads an event with its invitations. @throws ApiError `not_found` */
export async function readShown(reader: Reader, accountId: string, id: string): Promise<ShownEvent> {
  const event = await readEvent(reader, accountId, id);
  return { event, invitation: (await invitationsOf(reader, accountId, [id])).get(id) ?? null };
}

/** Lists events with their invitations. @throws ApiError `invalid_request`, `invalid_cursor` */
export async function readShownPage(reader: Reader, accountId: string, query: EventQuery) {
  const page = await listEventsOf(reader, accountId, query);
  return { ...page, rows: await withInvitations(reader, accountId, page.rows) };
}

const fold = (address: string): string => address.toLowerCase();

/** The attendees of a changed event. An attendee that answered for another time is asked again. */
function attendeesOf(
  { attendees }: CalendarEvent,
  known: readonly AttendeeStatus[],
  isMoved: boolean,
): AttendeeStatus[] {
  const unique = new Map(attendees.map((address) => [fold(address), address]));
  return [...unique].map(([folded, address]) => {
    const before = known.find((attendee) => fold(attendee.address) === folded);
    if (!before || before.status === 'not_invited') return { address, status: 'not_invited' };
    return isMoved ? { address, status: 'invited' } : before;
  });
}

/** Changes events, and mails what the attendees have to know. */
export class EventChangeRules {
  readonly #database: Database;
  readonly #events: EventRules;
  readonly #invitations: InvitationRules;

  constructor(database: Database, events: EventRules, invitations: InvitationRules) {
    this.#database = database;
    this.#events = events;
    this.#invitations = invitations;
  }

  /** @throws ApiError `invalid_request` */
  async planCreate(
    principal: Principal,
    fields: Fields & { summary: string; start: string; end: string },
    now: number,
  ): Promise<ChangePlan> {
    const event = newEvent(principal.accountId, fields, now);
    const attendees = attendeesOf(event, [], false);
    const change = { event, attendees, removed: [], from: fields.organizer, method: 'REQUEST' as const };
    return { event, invitation: null, attendees, mails: await this.#invitations.prepare(principal, change, now) };
  }

  /** @throws ApiError `calendar_limit` */
  async create(tx: Tx, principal: Principal, plan: ChangePlan, now: number): Promise<ShownEvent> {
    await this.#events.create(tx, principal, plan.event, now);
    return this.#send(tx, principal, plan, now);
  }

  /** @throws ApiError `not_found`, `not_organizer`, `invalid_request` */
  async planUpdate(principal: Principal, id: string, fields: Fields, now: number): Promise<ChangePlan> {
    const { event: known, invitation } = await readShown(this.#database, principal.accountId, id);
    if (invitation?.invited) throw new ApiError('not_organizer');
    const event = changedEvent(known, fields, now);
    const before = invitation?.attendees ?? [];
    const isMoved = event.startAt !== known.startAt || event.endAt !== known.endAt;
    const attendees = attendeesOf(event, before, isMoved);
    const removed = before.filter(({ address }) => !attendees.some((each) => fold(each.address) === fold(address)));
    // A series of mails has one organizer (RFC 5546 3.2.2).
    const from = invitation?.organizer ?? fields.organizer;
    const change = { event, attendees, removed, from, method: 'REQUEST' as const };
    return { event, invitation, attendees, mails: await this.#invitations.prepare(principal, change, now) };
  }

  /** @throws ApiError `not_found`; {@link StaleEventError} */
  async update(tx: Tx, principal: Principal, plan: ChangePlan, now: number): Promise<ShownEvent> {
    await this.#events.update(tx, plan.event, now);
    return this.#send(tx, principal, plan, now);
  }

  /** @throws ApiError `not_found` */
  async planRemove(principal: Principal, id: string, now: number): Promise<ChangePlan> {
    const { event: known, invitation } = await readShown(this.#database, principal.accountId, id);
    const attendees = invitation === null || invitation.invited !== null ? [] : invitation.attendees;
    // A cancellation is a change too: its SEQUENCE is above that of the invitation.
    const event = { ...known, sequence: known.sequence + 1 };
    const from = invitation?.organizer ?? undefined;
    const change = { event, attendees, removed: [], from, method: 'CANCEL' as const };
    return { event: known, invitation, attendees, mails: await this.#invitations.prepare(principal, change, now) };
  }

  /** @throws ApiError `not_found`; {@link StaleEventError} */
  async remove(tx: Tx, principal: Principal, plan: ChangePlan, now: number): Promise<void> {
    const { accountId, id, sequence } = plan.event;
    await this.#events.touch(tx, accountId, now);
    if ((await readEvent(tx, accountId, id)).sequence !== sequence) throw new StaleEventError('changed meanwhile');
    await this.#events.remove(tx, accountId, id, await deleteInvitation(tx, id), now);
    await deleteHeldOf(tx, id);
    await this.#invitations.send(tx, principal, plan.mails, id, plan.attendees, now);
  }

  /** @throws ApiError `not_found`, `not_invited`, `insufficient_scope`, `sender_not_owned` */
  async planAnswer(principal: Principal, id: string, response: Response, now: number): Promise<AnswerPlan> {
    const { event, invitation } = await readShown(this.#database, principal.accountId, id);
    if (!invitation?.invited || invitation.isCancelled) throw new ApiError('not_invited');
    const draft = await this.#invitations.prepareReply(principal, event, invitation, response, now);
    return { event, response, draft };
  }

  /** @throws ApiError `not_found`, `not_invited`, `calendar_limit`, and as `OutboxRules.send`; {@link StaleEventError} */
  async answer(tx: Tx, principal: Principal, plan: AnswerPlan, now: number): Promise<ShownEvent> {
    const { accountId, id, sequence } = plan.event;
    await this.#events.touch(tx, accountId, now);
    const { event, invitation } = await readShown(tx, accountId, id);
    if (event.sequence !== sequence) throw new StaleEventError('changed meanwhile');
    if (!invitation?.invited || invitation.isCancelled) throw new ApiError('not_invited');
    await this.#invitations.sendReply(tx, principal, plan.draft, now);
    const { response } = plan;
    // An invitation that is declined never counts. One that was accepted counts until it is deleted.
    const isAccepted = invitation.isWaiting && response !== 'declined';
    if (isAccepted) await this.#events.accept(tx, principal, now);
    const attendees = invitation.attendees.map((attendee) =>
      attendee.address === invitation.invited ? { address: attendee.address, status: response } : attendee,
    );
    const isWaiting = invitation.isWaiting && !isAccepted;
    const answered: Invitation = { ...invitation, response, attendees, isWaiting };
    await saveInvitation(tx, answered);
    await this.#events.announce(tx, event, 'updated', now);
    return { event, invitation: answered };
  }

  async #send(tx: Tx, principal: Principal, plan: ChangePlan, now: number): Promise<ShownEvent> {
    const { event, mails } = plan;
    const { accountId } = event;
    if (plan.attendees.length === 0 && plan.invitation === null) return { event, invitation: null };
    const attendees = await this.#invitations.send(tx, principal, mails, event.id, plan.attendees, now);
    const organizer = plan.invitation?.organizer ?? mails.organizer;
    const state = {
      invited: null,
      recurrenceId: null,
      uid: null,
      rrule: null,
      occurrences: null,
      response: null,
      isCancelled: false,
      isVerified: true,
      isWaiting: false,
      proposal: null,
    };
    const invitation: Invitation = { eventId: event.id, accountId, organizer, attendees, ...state };
    await saveInvitation(tx, invitation);
    return { event, invitation };
  }
}
