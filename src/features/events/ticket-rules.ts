import type { Principal } from '../../kernel/principal.ts';
import { hashSecret, mintToken } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { insertTicket, purgeTickets, type TicketHolder, takeTicket } from './ticket-store.ts';

/** Seconds: a ticket is asked for right before it is used. */
export const TICKET_TTL_SECONDS = 60;

const PREFIX = 'wst_';
const TICKET = /^wst_[0-9A-Za-z]{32}$/;

/**
 * A single-use secret that may stand in a URL, where a key may not: it is worthless when a log of URLs leaks. It stands
 * for the credential that asks for it, and is no good without it.
 */
export async function mintTicket(tx: Tx, principal: Principal, now: number): Promise<string> {
  const { credential, keyHash, sessionHash } = principal;
  const ticket = mintToken(PREFIX);
  const holder = { credential, hash: (keyHash ?? sessionHash) as string };
  await insertTicket(tx, hashSecret(ticket), principal.accountId, holder, now + TICKET_TTL_SECONDS * 1000);
  return ticket;
}

/** Uses a ticket up. @returns the credential that asked for it, or null when the ticket is unknown, used or expired */
export async function redeemTicket(database: Database, ticket: string, now: number): Promise<TicketHolder | null> {
  // Junk from strangers must not cost a transaction each.
  if (!TICKET.test(ticket)) return null;
  return database.transaction((tx) => takeTicket(tx, hashSecret(ticket), now));
}

export { purgeTickets };
