import { tables } from '../../db/statement.ts';
import type { Tx } from '../../kernel/transaction.ts';

const sql = tables<{ socket_tickets: { hash: string; account_id: string; expires_at: number } }>();

const insertRow = sql((q, p: { hash: string; account_id: string; expires_at: number }) =>
  q.insertInto('socket_tickets').values({ hash: p.hash, account_id: p.account_id, expires_at: p.expires_at }),
);

/** Deleting is using: of any number of parallel uses one gets the row. */
const takeRow = sql((q, p: { hash: string; now: number }) =>
  q.deleteFrom('socket_tickets').where('hash', '=', p.hash).where('expires_at', '>', p.now).returning('account_id'),
);

const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('socket_tickets').where('expires_at', '<=', p.now));

export const insertTicket = async (tx: Tx, hash: string, accountId: string, expiresAt: number): Promise<void> =>
  void (await tx.run(insertRow, { hash, account_id: accountId, expires_at: expiresAt }));

/** @returns whose ticket it was, or null when it is unknown, used or expired */
export const takeTicket = async (tx: Tx, hash: string, now: number): Promise<string | null> =>
  (await tx.first(takeRow, { hash, now }))?.account_id ?? null;

export const purgeTickets = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
