import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { SESSIONS, type Session } from './login-data.ts';

type Row = RowOf<typeof SESSIONS>;

const sql = tables<{ sessions: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('sessions').values(SESSIONS.values(p)));
const byHash = sql((q, p: { hash: string; now: number }) =>
  q.selectFrom('sessions').select(SESSIONS.names).where('hash', '=', p.hash).where('expires_at', '>', p.now),
);
/** Deletes the sessions of an account except one. `''` keeps none. */
const endOthers = sql((q, p: { account_id: string; kept: string }) =>
  q.deleteFrom('sessions').where('account_id', '=', p.account_id).where('hash', '<>', p.kept),
);
/** Open sessions of an account except one; those of its operator too if `all` is 1. */
const endOpen = sql((q, p: { account_id: string; kept: string; all: number; now: number }) =>
  q
    .deleteFrom('sessions')
    .where('account_id', '=', p.account_id)
    .where('hash', '<>', p.kept)
    .where('operator', '<=', p.all)
    .where('expires_at', '>', p.now),
);
/** Deletes the sessions of an address for one account. */
const endOf = sql((q, p: { account_id: string; email: string }) =>
  q.deleteFrom('sessions').where('account_id', '=', p.account_id).where('email', '=', p.email),
);
const byAccount = sql((q, p: { account_id: string; before: string; now: number; limit: number }) =>
  q
    .selectFrom('sessions')
    .select(SESSIONS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const byId = sql((q, p: { account_id: string; id: string; now: number }) =>
  q
    .selectFrom('sessions')
    .select(SESSIONS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '=', p.id)
    .where('expires_at', '>', p.now),
);
const endByHash = sql((q, p: { hash: string }) => q.deleteFrom('sessions').where('hash', '=', p.hash));
const forgetExpired = sql((q, p: { now: number }) => q.deleteFrom('sessions').where('expires_at', '<=', p.now));

export const insertSession = async (tx: Tx, session: Session): Promise<void> =>
  void (await tx.run(insertRow, SESSIONS.toRow(session)));

/** Finds a session that has not expired. */
export async function findSession(reader: Reader, hash: string, now: number): Promise<Session | null> {
  const row = await reader.first(byHash, { hash, now });
  return row ? SESSIONS.fromRow(row) : null;
}

/** Lists sessions that have not expired, newest first. */
export const listSessions = async (
  reader: Reader,
  accountId: string,
  { before, many, now }: { before: string; many: number; now: number },
): Promise<Session[]> =>
  (await reader.all(byAccount, { account_id: accountId, before, now, limit: many })).map(SESSIONS.fromRow);

/** Finds a session of the account that has not expired. */
export async function findSessionById(
  reader: Reader,
  accountId: string,
  id: string,
  now: number,
): Promise<Session | null> {
  const row = await reader.first(byId, { account_id: accountId, id, now });
  return row ? SESSIONS.fromRow(row) : null;
}

export const purgeSessions = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });

/** @returns false when the session has already ended */
export const endSession = async (tx: Tx, hash: string): Promise<boolean> => (await tx.run(endByHash, { hash })) === 1;

export const endSessions = async (tx: Tx, accountId: string, kept: string | null): Promise<void> =>
  void (await tx.run(endOthers, { account_id: accountId, kept: kept ?? '' }));

/** Ends the open sessions of an account, and those of its operator if `isWhole`. @returns how many */
export const endOpenSessions = (
  tx: Tx,
  accountId: string,
  { kept, isWhole, now }: { kept: string | null; isWhole: boolean; now: number },
): Promise<number> => tx.run(endOpen, { account_id: accountId, kept: kept ?? '', all: isWhole ? 1 : 0, now });

export const endSessionsOf = async (tx: Tx, accountId: string, email: string): Promise<void> =>
  void (await tx.run(endOf, { account_id: accountId, email }));

/** Whether a session still exists. Called between the start of a request and its effect. */
export const sessionExists = async (reader: Reader, hash: string): Promise<boolean> =>
  (await reader.first(byHash, { hash, now: 0 })) !== undefined;
