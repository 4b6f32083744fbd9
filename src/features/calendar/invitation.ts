import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import { requireScope } from '../../api/scopes.ts';
import type { Tx } from '../../api/transaction.ts';
import type { Address } from '../account/addresses/address.ts';
import { composeDraft, type Draft, plainRequest } from '../mail/outbox/mail-composition.ts';
import type { CalendarDeps } from './calendar-event.ts';
import type { CalendarEvent } from './calendar-table.ts';
import { insertHeld } from './held-invitation-store.ts';
import type { AttendeeStatus, Invitation, Response } from './invitation-table.ts';
import { type InvitationMethod, invitationText, subjectOf, wordsOf } from './invitation-text.ts';

/** A mail to an attendee that is ready to be sent, or the code of the error that refused it. */
interface Prepared {
  address: string;
  method: InvitationMethod;
  mail: Draft | string;
}

/** The mails of one change of an event. */
export interface PreparedInvitations {
  organizer: string | null;
  mails: readonly Prepared[];
}

/** What a change of an event sends: the attendees as they will be, and those that are no longer invited. */
export interface Change {
  event: CalendarEvent;
  /** The address that invites, as the caller named it. */
  from: string | undefined;
  attendees: readonly AttendeeStatus[];
  removed: readonly AttendeeStatus[];
  /** `CANCEL` when the event is deleted. */
  method: 'REQUEST' | 'CANCEL';
}

const reasonOf = (err: unknown): string => {
  if (err instanceof ApiError && err.status < 500) return err.code;
  throw err;
};

/** The UID of an event of this service. */
const uidOf = ({ id }: Pick<CalendarEvent, 'id'>, mailDomain: string): string => `${id}@${mailDomain}`;

/** Whether an attendee knows of the event, so that its end concerns them. */
const isInvited = ({ status }: AttendeeStatus): boolean => status !== 'not_invited';

/** Mails invitations (iMIP, RFC 6047), each to one attendee, through the outbox and all of its checks. */
export class InvitationRules {
  readonly #deps: CalendarDeps;

  constructor(deps: CalendarDeps) {
    this.#deps = deps;
  }

  /** Composes the mails of a change. Call it outside the transaction. Never refuses: an attendee is then not invited. */
  async prepare(principal: Principal, change: Change, now: number): Promise<PreparedInvitations> {
    const { event, attendees, removed, method } = change;
    const cancelled = method === 'CANCEL' ? attendees : removed;
    const wanted = [
      ...(method === 'REQUEST' ? attendees.map(({ address }) => ({ address, method: 'REQUEST' as const })) : []),
      ...cancelled.filter(isInvited).map(({ address }) => ({ address, method: 'CANCEL' as const })),
    ];
    if (wanted.length === 0) return { organizer: null, mails: [] };
    const from = await this.#sender(principal, change.from);
    if (typeof from === 'string') return { organizer: null, mails: wanted.map((mail) => ({ ...mail, mail: from })) };
    const uid = uidOf(event, this.#deps.mailDomain);
    const mails: Prepared[] = [];
    // The organizer is not invited.
    for (const { address, method } of wanted.filter((each) => each.address.toLowerCase() !== from.address)) {
      const named = method === 'CANCEL' ? [{ address, status: 'invited' as const }] : attendees;
      const content = { method, uid, event, organizer: from.address, attendees: named, now };
      const mail = await this.#compose(principal, from, address, content, null).catch(reasonOf);
      mails.push({ address, method, mail });
    }
    return { organizer: from.address, mails };
  }

  /**
   * Sends the mails of a change. What the outbox refuses leaves the event as it is.
   * @returns the attendees, in their order, with what became of each
   */
  async send(
    tx: Tx,
    principal: Principal,
    { organizer, mails }: PreparedInvitations,
    eventId: string,
    attendees: readonly AttendeeStatus[],
    now: number,
  ): Promise<AttendeeStatus[]> {
    const results = new Map<string, AttendeeStatus>();
    for (const { address, method, mail } of mails) {
      const known = attendees.find((attendee) => attendee.address === address);
      const result = typeof mail === 'string' ? mail : await this.#deliver(tx, principal, mail, now);
      if (method === 'CANCEL' || known === undefined) continue;
      if (result === 'sent')
        results.set(address, isInvited(known) && known.status !== 'held' ? known : { address, status: 'invited' });
      else if (typeof result !== 'string') {
        results.set(address, { address, status: 'held' });
        const { accountId } = principal;
        await insertHeld(tx, { outboxId: result.held, accountId, eventId, address, was: known.status });
      }
      // An earlier invitation stands, and so does its answer.
      else results.set(address, isInvited(known) ? { ...known, reason: result } : notInvited(address, result));
    }
    return attendees.map((attendee) => {
      const { address } = attendee;
      if (address.toLowerCase() === organizer) return { address, status: 'accepted' };
      return results.get(address) ?? attendee;
    });
  }

  /**
   * Composes the answer to an invitation. Call it outside the transaction.
   * @throws ApiError `insufficient_scope`, `sender_not_owned`, as `composeDraft`
   */
  async prepareReply(
    principal: Principal,
    event: CalendarEvent,
    invitation: Invitation,
    response: Response,
    now: number,
  ) {
    const { organizer, invited, uid } = invitation as Invitation & { organizer: string; invited: string; uid: string };
    requireScope(principal, 'mail:send');
    const from = await this.#deps.mailboxes.sender(principal, invited);
    const attendees = [{ address: invited, status: response }];
    const content = { method: 'REPLY' as const, uid, event, organizer, attendees, now };
    return this.#compose(principal, from, organizer, content, response);
  }

  /** Sends the answer to an invitation. @throws ApiError as `OutboxRules.send` */
  async sendReply(tx: Tx, principal: Principal, draft: Draft, now: number): Promise<void> {
    await this.#deps.outbox.send(tx, draft, principal, this.#noPayment(), now);
  }

  /** The address that invites, or why there is none. */
  async #sender(principal: Principal, from: string | undefined): Promise<Address | string> {
    try {
      requireScope(principal, 'mail:send');
      return await this.#deps.mailboxes.defaultSender(principal, from);
    } catch (err) {
      // Without an address, or with several and none named, invitations cannot be sent; the event is made all the same.
      const code = reasonOf(err);
      return code === 'invalid_request' || code === 'not_found' ? 'organizer_required' : code;
    }
  }

  #compose(
    principal: Principal,
    from: Address,
    to: string,
    content: Parameters<typeof invitationText>[0],
    response: Response | null,
  ): Promise<Draft> {
    const { event, method, organizer, now } = content;
    const request = {
      ...plainRequest(from, [to], subjectOf(event, method, response)),
      text: wordsOf(event, organizer),
      calendar: { method, content: invitationText(content) },
    };
    return composeDraft(this.#deps, request, principal, now);
  }

  async #deliver(tx: Tx, principal: Principal, draft: Draft, now: number): Promise<string | { held: string }> {
    try {
      const sent = await this.#deps.outbox.send(tx, draft, principal, this.#noPayment(), now);
      if (sent.review !== null) return { held: sent.entry.id };
      return sent.entry.status === 'failed' ? 'no_such_recipient' : 'sent';
    } catch (err) {
      return reasonOf(err);
    }
  }

  #noPayment() {
    return { resource: `${this.#deps.baseUrl()}/v1/calendar/events`, offer: null };
  }
}

const notInvited = (address: string, reason: string): AttendeeStatus => ({ address, status: 'not_invited', reason });
