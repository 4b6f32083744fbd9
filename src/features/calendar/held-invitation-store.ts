import type { Reader } from '../../api/transaction.ts';
import type { RowOf } from '../../db/column-map.ts';
import { tables } from '../../db/statement.ts';
import { HELD_INVITATIONS, type HeldInvitation } from './invitation-table.ts';

export const insertHeld = HELD_INVITATIONS.insert();
export const findHeld = HELD_INVITATIONS.find();
/** @returns 0 when it was gone */
export const deleteHeld = HELD_INVITATIONS.remove();
export const deleteHeldOf = HELD_INVITATIONS.remove(['eventId']);

const sql = tables<{ calendar_held_mails: RowOf<typeof HELD_INVITATIONS> }>();

const byEvent = sql((q, p: { event_id: string }) =>
  q.selectFrom('calendar_held_mails').select(HELD_INVITATIONS.names).where('event_id', '=', p.event_id),
);
/** What waits for the attendees of an event. */
export const heldOf = async (reader: Reader, eventId: string): Promise<HeldInvitation[]> =>
  (await reader.all(byEvent, { event_id: eventId })).map(HELD_INVITATIONS.fromRow);
