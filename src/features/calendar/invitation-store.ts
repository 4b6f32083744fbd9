import { isAmong } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { CalendarEvent, ShownEvent } from './calendar-data.ts';
import { INVITATIONS, type Invitation } from './invitation-data.ts';

type Row = RowOf<typeof INVITATIONS>;

const sql = tables<{ calendar_invitations: Row }>();

const save = sql((q, p: Row) =>
  q
    .insertInto('calendar_invitations')
    .values(INVITATIONS.values(p))
    .onConflict((conflict) =>
      conflict.column('event_id').doUpdateSet({
        organizer: p.organizer,
        rrule: p.rrule,
        response: p.response,
        attendees: p.attendees,
        recurrence_id: p.recurrence_id,
        occurrences: p.occurrences,
        is_cancelled: p.is_cancelled,
        is_verified: p.is_verified,
      }),
    ),
);

const ofEvents = sql((q, p: { account_id: string; ids: string }, engine) =>
  q
    .selectFrom('calendar_invitations')
    .select(INVITATIONS.names)
    .where((eb) => isAmong(engine, eb.ref('event_id'), p.ids))
    .where('account_id', '=', p.account_id),
);

const byUid = sql((q, p: { account_id: string; uid: string }) =>
  q
    .selectFrom('calendar_invitations')
    .select(INVITATIONS.names)
    .where('account_id', '=', p.account_id)
    .where('uid', '=', p.uid),
);

const deleteRow = sql((q, p: { event_id: string }) =>
  q.deleteFrom('calendar_invitations').where('event_id', '=', p.event_id),
);

export const saveInvitation = async (tx: Tx, invitation: Invitation): Promise<void> =>
  void (await tx.run(save, INVITATIONS.toRow(invitation)));

/** The invitations of events, by event. */
export async function invitationsOf(
  reader: Reader,
  accountId: string,
  eventIds: readonly string[],
): Promise<Map<string, Invitation>> {
  if (eventIds.length === 0) return new Map();
  const ids = JSON.stringify(eventIds.map((id) => [id]));
  const rows = await reader.all(ofEvents, { account_id: accountId, ids });
  return new Map(rows.map((row) => [row.event_id, INVITATIONS.fromRow(row)]));
}

/** Events with their invitations, in their order. */
export async function withInvitations(
  reader: Reader,
  accountId: string,
  events: readonly CalendarEvent[],
): Promise<ShownEvent[]> {
  const ids = events.map(({ id }) => id);
  const found = await invitationsOf(reader, accountId, ids);
  return events.map((event) => ({ event, invitation: found.get(event.id) ?? null }));
}

/** The invitation that came in under an organizer's id. */
export async function invitationByUid(reader: Reader, accountId: string, uid: string): Promise<Invitation | null> {
  const row = await reader.first(byUid, { account_id: accountId, uid });
  return row ? INVITATIONS.fromRow(row) : null;
}

export const deleteInvitation = async (tx: Tx, eventId: string): Promise<void> =>
  void (await tx.run(deleteRow, { event_id: eventId }));
