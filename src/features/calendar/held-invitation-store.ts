import type { Reader, Tx } from '../../api/transaction.ts';
import type { RowOf } from '../../db/column-map.ts';
import { tables } from '../../db/statement.ts';
import { HELD_INVITATIONS, type HeldInvitation } from './invitation-table.ts';

type Row = RowOf<typeof HELD_INVITATIONS>;

const sql = tables<{ calendar_held_mails: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('calendar_held_mails').values(HELD_INVITATIONS.values(p)));
const byOutboxId = sql((q, p: { outbox_id: string }) =>
  q.selectFrom('calendar_held_mails').select(HELD_INVITATIONS.names).where('outbox_id', '=', p.outbox_id),
);
const byEvent = sql((q, p: { event_id: string }) =>
  q.selectFrom('calendar_held_mails').select(HELD_INVITATIONS.names).where('event_id', '=', p.event_id),
);
const deleteRow = sql((q, p: { outbox_id: string }) =>
  q.deleteFrom('calendar_held_mails').where('outbox_id', '=', p.outbox_id),
);
const deleteOfEvent = sql((q, p: { event_id: string }) =>
  q.deleteFrom('calendar_held_mails').where('event_id', '=', p.event_id),
);

export const insertHeld = async (tx: Tx, held: HeldInvitation): Promise<void> =>
  void (await tx.run(insertRow, HELD_INVITATIONS.toRow(held)));

export async function findHeld(reader: Reader, outboxId: string): Promise<HeldInvitation | null> {
  const row = await reader.first(byOutboxId, { outbox_id: outboxId });
  return row ? HELD_INVITATIONS.fromRow(row) : null;
}

/** What waits for the attendees of an event. */
export const heldOf = async (reader: Reader, eventId: string): Promise<HeldInvitation[]> =>
  (await reader.all(byEvent, { event_id: eventId })).map(HELD_INVITATIONS.fromRow);

/** @returns false when it was gone */
export const deleteHeld = async (tx: Tx, outboxId: string): Promise<boolean> =>
  (await tx.run(deleteRow, { outbox_id: outboxId })) === 1;

export const deleteHeldOf = async (tx: Tx, eventId: string): Promise<void> =>
  void (await tx.run(deleteOfEvent, { event_id: eventId }));
