import { hashSecret, mintToken } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { insertTicket, purgeTickets, takeTicket } from './ticket-store.ts';

/** Seconds: a ticket is asked for right before it is used (decisions.md, Push). */
export const TICKET_TTL_SECONDS = 60;

const PREFIX = 'wst_';

/** A single-use secret that may stand in a URL, where a key may not: it is worthless when a log of URLs leaks. */
export async function mintTicket(tx: Tx, accountId: string, now: number): Promise<string> {
  const ticket = mintToken(PREFIX);
  await insertTicket(tx, hashSecret(ticket), accountId, now + TICKET_TTL_SECONDS * 1000);
  return ticket;
}

/** @returns the account, or null when the ticket is unknown, used or expired */
export const redeemTicket = (database: Database, ticket: string, now: number): Promise<string | null> =>
  database.transaction((tx) => takeTicket(tx, hashSecret(ticket), now));

export { purgeTickets };
