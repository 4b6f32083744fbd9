import type { Reader, Tx } from '../../api/transaction.ts';
import type { RowOf } from '../../db/column-map.ts';
import { isAmong } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import type { CalendarEvent, ShownEvent } from './calendar-table.ts';
import { INVITATIONS, type Invitation } from './invitation-table.ts';

type Row = RowOf<typeof INVITATIONS>;

/** An invitation that waits, as far as it matters for the next one. */
export interface Waiting extends Pick<Invitation, 'eventId' | 'organizer' | 'isVerified'> {
  /** Its organizer cancelled it, or its account declined it. */
  isDone: boolean;
  isSeries: boolean;
}

const sql = tables<{ calendar_invitations: Row }>();

const ofEvents = sql((q, p: { account_id: string; ids: string }, engine) =>
  q
    .selectFrom('calendar_invitations')
    .select(INVITATIONS.names)
    .where((eb) => isAmong(engine, eb.ref('event_id'), p.ids))
    .where('account_id', '=', p.account_id),
);

const deleteRow = sql((q, p: { event_id: string }) =>
  q.deleteFrom('calendar_invitations').where('event_id', '=', p.event_id).returning('is_waiting'),
);

/** Only a literal lets SQLite use the index of those rows. */
const waiting = sql((q, p: { account_id: string }) =>
  q
    .selectFrom('calendar_invitations')
    .select(['event_id', 'organizer', 'rrule', 'response', 'is_cancelled', 'is_verified'])
    .where('account_id', '=', p.account_id)
    .where((eb) => eb('is_waiting', '=', eb.lit(1)))
    .orderBy('event_id'),
);

export const saveInvitation = INVITATIONS.save([
  'organizer',
  'rrule',
  'response',
  'attendees',
  'recurrenceId',
  'occurrences',
  'isCancelled',
  'isVerified',
  'isWaiting',
  'proposal',
]);

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
export const invitationByUid = INVITATIONS.find(['accountId', 'uid']);

/** The invitations that wait, oldest first. */
export const waitingOf = async (reader: Reader, accountId: string): Promise<Waiting[]> =>
  (await reader.all(waiting, { account_id: accountId })).map((row) => ({
    eventId: row.event_id,
    organizer: row.organizer,
    isVerified: row.is_verified === 1,
    isDone: row.is_cancelled === 1 || row.response === 'declined',
    isSeries: row.rrule !== null,
  }));

/** @returns whether it waited */
export const deleteInvitation = async (tx: Tx, eventId: string): Promise<boolean> =>
  (await tx.first(deleteRow, { event_id: eventId }))?.is_waiting === 1;
