import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { TICKETS, type TicketHolder } from './ticket-table.ts';

export const insertTicket = TICKETS.insert();
/** Deletes the tickets of an account. */
export const endTickets = TICKETS.remove(['accountId']);
export const purgeTickets = TICKETS.purge('expiresAt');

const sql = tables<{ socket_tickets: RowOf<typeof TICKETS> }>();

/** Deletes the ticket it uses, so that one of several parallel calls gets the row. */
const takeRow = sql((q, p: { hash: string; now: number }) =>
  q
    .deleteFrom('socket_tickets')
    .where('hash', '=', p.hash)
    .where('expires_at', '>', p.now)
    .returning(['credential', 'credential_hash', 'account_id']),
);

/** Uses a ticket. @returns the credential that created it, or null when it is unknown, used or expired */
export async function takeTicket(tx: Tx, hash: string, now: number): Promise<TicketHolder | null> {
  const row = await tx.first(takeRow, { hash, now });
  return row ? { credential: row.credential, credentialHash: row.credential_hash, accountId: row.account_id } : null;
}
