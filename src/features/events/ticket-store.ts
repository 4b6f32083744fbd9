import { tables } from '../../db/statement.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tx } from '../../kernel/transaction.ts';

interface Row {
  hash: string;
  account_id: string;
  expires_at: number;
  credential: string;
  credential_hash: string;
}

/** The credential that asked for a ticket, by its hash. */
export interface TicketHolder {
  credential: Principal['credential'];
  hash: string;
}

const sql = tables<{ socket_tickets: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('socket_tickets').values({
    hash: p.hash,
    account_id: p.account_id,
    expires_at: p.expires_at,
    credential: p.credential,
    credential_hash: p.credential_hash,
  }),
);

/** Deleting is using: of any number of parallel uses one gets the row. */
const takeRow = sql((q, p: { hash: string; now: number }) =>
  q
    .deleteFrom('socket_tickets')
    .where('hash', '=', p.hash)
    .where('expires_at', '>', p.now)
    .returning(['credential', 'credential_hash']),
);

const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('socket_tickets').where('expires_at', '<=', p.now));

export const insertTicket = async (
  tx: Tx,
  hash: string,
  accountId: string,
  holder: TicketHolder,
  expiresAt: number,
): Promise<void> =>
  void (await tx.run(insertRow, {
    hash,
    account_id: accountId,
    expires_at: expiresAt,
    credential: holder.credential,
    credential_hash: holder.hash,
  }));

/** @returns whose ticket it was, or null when it is unknown, used or expired */
export async function takeTicket(tx: Tx, hash: string, now: number): Promise<TicketHolder | null> {
  const row = await tx.first(takeRow, { hash, now });
  return row ? { credential: row.credential as Principal['credential'], hash: row.credential_hash } : null;
}

export const purgeTickets = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
