import type { Principal } from '../../../api/principal.ts';
import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const TICKETS = table(
  'socket_tickets',
  {
    /** SHA-256 of the ticket. The ticket itself is not stored. */
    hash: column.text('hash'),
    accountId: column.text('account_id'),
    expiresAt: column.integer('expires_at'),
    credential: column.enum<Principal['credential']>()('credential'),
    /** SHA-256 of the credential that created the ticket. */
    credentialHash: column.text('credential_hash'),
  },
  { key: ['hash'], account: ['accountId'], erase: 'delete' },
);
export type Ticket = RecordOf<typeof TICKETS>;

/** The credential that created a ticket, and the account it acted for. */
export type TicketHolder = Pick<Ticket, 'credential' | 'credentialHash' | 'accountId'>;
