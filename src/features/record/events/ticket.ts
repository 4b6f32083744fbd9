import { findPresented, type Principal } from '../../../api/principal.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { hashSecret, mintToken } from '../../../base/secret.ts';
import { endTickets, insertTicket, purgeTickets, takeTicket } from './ticket-store.ts';
import type { TicketHolder } from './ticket-table.ts';

/** Seconds. A client asks for a ticket right before it connects. */
export const TICKET_TTL_SECONDS = 60;

const PREFIX = 'wst_';
const TICKET = /^wst_[0-9A-Za-z]{32}$/;

/**
 * Mints a single-use secret that is safe in a URL, where a key is not: after its use it is worthless in a leaked log. It
 * stands for the credential that created it, and works only while that credential does.
 */
export async function mintTicket(tx: Tx, principal: Principal, now: number): Promise<string> {
  const { credential, hash: credentialHash } = findPresented(principal);
  const ticket = mintToken(PREFIX);
  const holder = { accountId: principal.accountId, credential, credentialHash };
  const expiresAt = now + TICKET_TTL_SECONDS * 1000;
  await insertTicket(tx, { hash: hashSecret(ticket), expiresAt, ...holder });
  return ticket;
}

/** Uses a ticket. @returns the credential that created it, or null when the ticket is unknown, used or expired */
export async function redeemTicket(database: Database, ticket: string, now: number): Promise<TicketHolder | null> {
  // Malformed tickets must not cost a transaction each.
  if (!TICKET.test(ticket)) return null;
  return database.transaction((tx) => takeTicket(tx, hashSecret(ticket), now));
}

export { endTickets, purgeTickets };
