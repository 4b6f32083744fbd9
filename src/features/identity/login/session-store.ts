import type { SessionMethod } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { jsonRows, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { SESSION_ACCOUNTS, SESSIONS, type Session } from './login-table.ts';

export const insertSession = SESSIONS.insert();
/** @returns 0 when the session has already ended */
export const endSession = SESSIONS.remove();
/** Ends the sessions of an address for one account, but for operator sessions, which belong to the address. */
export const endSessionsOf = SESSIONS.remove(['accountId', 'email'], { operator: false });
const purgeExpired = SESSIONS.purge('expiresAt');

/** What is recorded of a session and an account. Null: nothing. */
export const findSessionAccount = SESSION_ACCOUNTS.find();
const purgeUses = SESSION_ACCOUNTS.purge('expiresAt');

const sql = tables<{ sessions: RowOf<typeof SESSIONS>; session_accounts: RowOf<typeof SESSION_ACCOUNTS> }>();

/** Deletes the sessions of an account except one and its operators'. `''` keeps none. */
const endOthers = sql((q, p: { account_id: string; kept: string }) =>
  q.deleteFrom('sessions').where('account_id', '=', p.account_id).where('operator', '=', 0).where('hash', '<>', p.kept),
);
interface PageParams {
  account_id: string;
  /** JSON: the addresses of the account's operators, as rows. */
  operators: string;
  before: string;
  now: number;
  limit: number;
}

/** Open sessions of an account except one. Those of operators belong to their addresses and stay. */
const endOpen = sql((q, p: { account_id: string; kept: string; now: number }) =>
  q
    .deleteFrom('sessions')
    .where('account_id', '=', p.account_id)
    .where('hash', '<>', p.kept)
    .where('operator', '=', 0)
    .where('expires_at', '>', p.now),
);

/** Console sessions of an account but for the newest. */
const endOldest = sql((q, p: { account_id: string; kept: number }) => {
  const ofKeys = q.selectFrom('sessions').where('account_id', '=', p.account_id).where('key_hash', 'is not', null);
  return q
    .deleteFrom('sessions')
    .where('account_id', '=', p.account_id)
    .where('key_hash', 'is not', null)
    .where('id', 'not in', ofKeys.select('id').orderBy('id', 'desc').limit(p.kept));
});

/** Sessions that were opened for the account. An operator's is shown while he is one. */
const opened = sql((q, p: PageParams, engine) =>
  q
    .selectFrom('sessions')
    .select(SESSIONS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .where('expires_at', '>', p.now)
    .where((eb) =>
      eb.or([
        eb('operator', '=', 0),
        eb(
          'email',
          'in',
          eb.selectFrom(jsonRows(engine, p.operators, { address: 'text' }).as('given')).select('address'),
        ),
      ]),
    )
    .where(
      'hash',
      'not in',
      q
        .selectFrom('session_accounts')
        .select('session_hash')
        .where('account_id', '=', p.account_id)
        .where('ended_at', 'is not', null),
    )
    .orderBy('id', 'desc')
    .limit(p.limit),
);
/** Operator sessions that were opened for another account and selected this one. */
const selected = sql((q, p: PageParams, engine) =>
  q
    .selectFrom('sessions')
    .select(SESSIONS.names)
    .where(
      'hash',
      'in',
      q
        .selectFrom('session_accounts')
        .select('session_hash')
        .where('account_id', '=', p.account_id)
        .where('ended_at', 'is', null),
    )
    .where('account_id', '<>', p.account_id)
    .where('email', 'in', (eb) =>
      eb.selectFrom(jsonRows(engine, p.operators, { address: 'text' }).as('given')).select('address'),
    )
    .where('id', '<', p.before)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const accountsOf = sql((q, p: { hash: string }) =>
  q.selectFrom('session_accounts').select('account_id').where('session_hash', '=', p.hash),
);

const byAddress = sql((q, p: { address: string; method: SessionMethod; now: number }) =>
  q
    .selectFrom('sessions')
    .select(SESSIONS.names)
    .where('email', '=', p.address)
    .where('method', '=', p.method)
    .where('expires_at', '>', p.now),
);

/** Finds a session that has not expired. */
export const findSession = SESSIONS.find(['hash', 'expiresAt']);

/**
 * Lists the sessions that may act for an account and have not expired, newest first: those opened for it, and those of
 * its operators that selected it.
 */
export async function listSessions(
  reader: Reader,
  accountId: string,
  { before, many, now, operators }: { before: string; many: number; now: number; operators: readonly string[] },
): Promise<Session[]> {
  const params = { account_id: accountId, operators: jsonTexts(operators), before, now, limit: many };
  const found = [...(await reader.all(opened, params)), ...(await reader.all(selected, params))];
  return found
    .map(SESSIONS.fromRow)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, many);
}

/** Lists the sessions that a person opened in one way. */
export const sessionsOfPerson = async (
  reader: Reader,
  person: { address: string; method: SessionMethod; now: number },
): Promise<Session[]> => (await reader.all(byAddress, person)).map(SESSIONS.fromRow);

export async function purgeSessions(tx: Tx, now: number): Promise<void> {
  await purgeExpired(tx, now);
  await purgeUses(tx, now);
}

/** Ends the sessions of an account except one and those of operators. */
export const endSessions = async (tx: Tx, accountId: string, kept: string | null): Promise<void> =>
  void (await tx.run(endOthers, { account_id: accountId, kept: kept ?? '' }));

/** Ends the console sessions of an account but for the newest. @returns how many */
export const endOldestOfKeys = (tx: Tx, accountId: string, kept: number): Promise<number> =>
  tx.run(endOldest, { account_id: accountId, kept });

/** The accounts that a session selected. */
export const accountsOfSession = async (reader: Reader, hash: string): Promise<string[]> =>
  (await reader.all(accountsOf, { hash })).map((row) => row.account_id);

/** Records that a session acts for an account, once. */
export const recordSelection = SESSION_ACCOUNTS.insertNew(['accountId', 'sessionHash']);

/** Records that a session may no longer act for an account. */
export const endSelection = SESSION_ACCOUNTS.save(['endedAt']);

/** Ends the open sessions of an account, but for one and those of its operators. @returns how many */
export const endOpenSessions = (tx: Tx, accountId: string, kept: string | null, now: number): Promise<number> =>
  tx.run(endOpen, { account_id: accountId, kept: kept ?? '', now });
