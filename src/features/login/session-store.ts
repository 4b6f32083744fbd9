import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  hash: string;
  account_id: string;
  email: string;
  operator: number;
  created_at: number;
  expires_at: number;
}

export interface Session {
  hash: string;
  accountId: string;
  /** The address whose link opened it. */
  email: string;
  operator: boolean;
  createdAt: number;
  expiresAt: number;
}

const sql = tables<{ sessions: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('sessions').values({
    hash: p.hash,
    account_id: p.account_id,
    email: p.email,
    operator: p.operator,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
);
const byHash = sql((q, p: { hash: string; now: number }) =>
  q.selectFrom('sessions').selectAll().where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
/** Sessions of an account but one; `''` spares none. */
const endOthers = sql((q, p: { account_id: string; spared: string }) =>
  q.deleteFrom('sessions').where('account_id', '=', p.account_id).where('hash', '<>', p.spared),
);
const endByHash = sql((q, p: { hash: string }) => q.deleteFrom('sessions').where('hash', '=', p.hash));
const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('sessions').where('expires_at', '<=', p.now));

export const insertSession = async (tx: Tx, session: Session): Promise<void> =>
  void (await tx.run(insertRow, {
    hash: session.hash,
    account_id: session.accountId,
    email: session.email,
    operator: session.operator ? 1 : 0,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  }));

/** A session that has not expired. */
export async function findSession(reader: Reader, hash: string, now: number): Promise<Session | null> {
  const row = await reader.first(byHash, { hash, now });
  if (!row) return null;
  return {
    hash: row.hash,
    accountId: row.account_id,
    email: row.email,
    operator: row.operator === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export const purgeSessions = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });

/** @returns false when there is no such session any more */
export const endSession = async (tx: Tx, hash: string): Promise<boolean> => (await tx.run(endByHash, { hash })) === 1;

export const endSessions = async (tx: Tx, accountId: string, spared: string | null): Promise<void> =>
  void (await tx.run(endOthers, { account_id: accountId, spared: spared ?? '' }));

/** Whether a session is still there; for the moment between a request's start and its effect. */
export const sessionExists = async (reader: Reader, hash: string): Promise<boolean> =>
  (await reader.first(byHash, { hash, now: 0 })) !== undefined;
