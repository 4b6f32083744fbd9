import type { Limits } from '../../../api/limits.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import { insufficientScope } from '../../../api/scopes.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { isId, newId } from '../../../base/ids.ts';
import { hashSecret, KEY_SESSION_PREFIX, mintToken } from '../../../base/secret.ts';
import { lockAccounts } from '../../account/accounts/account-lifecycle.ts';
import { confirmedOperators, isOperator } from '../../account/people/person.ts';
import type { Session } from './login-table.ts';
import {
  accountsOfSession,
  endOldestOfKeys,
  endSelection,
  endSession,
  findSessionAccount,
  insertSession,
  listSessions,
  recordSelection,
} from './session-store.ts';

/**
 * Opens a session for a console that a key of the whole account logs in to. It may do what its key may, and ends with it; a
 * session cannot prolong itself. The oldest makes room.
 * @param ended called when others ended
 * @throws ApiError `insufficient_scope` for any other credential
 */
export async function openConsoleSession(
  tx: Tx,
  { accountId, keyHash, consoleHash }: Principal,
  { console_session_ttl_seconds: ttlSeconds }: Pick<Limits, 'console_session_ttl_seconds'>,
  ended: (tx: Tx, accountId: string) => void,
  now: number,
): Promise<{ id: string; token: string; expiresAt: number }> {
  if (keyHash === null || consoleHash !== null)
    throw insufficientScope('account:manage', 'Only the primary key itself opens a console session.');
  await lockAccounts(tx, [accountId]);
  if ((await endOldestOfKeys(tx, accountId, FIXED_LIMITS.console_sessions.value - 1)) > 0) ended(tx, accountId);
  const [id, token, expiresAt] = [newId('ses', now), mintToken(KEY_SESSION_PREFIX), now + ttlSeconds * 1000];
  const held = { accountId, keyHash, email: '', operator: false, method: 'key' } as const;
  await insertSession(tx, { id, hash: hashSecret(token), ...held, createdAt: now, expiresAt });
  return { id, token, expiresAt };
}

type OperatorSession = Pick<Session, 'hash' | 'email' | 'accountId' | 'expiresAt'>;

/**
 * Whether an operator session may act for an account: while its address is a confirmed operator of the account, and the
 * account has not ended it. `new`: it may, and has not before.
 */
async function selectionOf(reader: Reader, session: OperatorSession, accountId: string): Promise<'no' | 'yes' | 'new'> {
  const known = await findSessionAccount(reader, accountId, session.hash);
  if (known !== null && known.endedAt !== null) return 'no';
  if (!(await isOperator(reader, accountId, session.email))) return 'no';
  return known === null && accountId !== session.accountId ? 'new' : 'yes';
}

/** Checks an operator session in the transaction of its effect. */
export const stillActsFor = async (tx: Tx, session: OperatorSession, accountId: string): Promise<boolean> =>
  (await selectionOf(tx, session, accountId)) !== 'no';

/**
 * Whether an operator session may act for an account. The first time is recorded, so that the account can list the
 * session and end it.
 */
export async function actsFor(
  database: Database,
  session: OperatorSession,
  accountId: string,
  now: number,
): Promise<boolean> {
  const selection = await selectionOf(database, session, accountId);
  const { hash: sessionHash, expiresAt } = session;
  const use = { accountId, sessionHash, selectedAt: now, endedAt: null, expiresAt };
  if (selection === 'new') await database.transaction((tx) => recordSelection(tx, use));
  return selection !== 'no';
}

const operatorsOf = async (reader: Reader, accountId: string): Promise<string[]> =>
  (await confirmedOperators(reader, accountId)).map(({ address }) => address);

/**
 * Lists the sessions that may act for an account, newest first: those opened for it, and those of its operators that
 * selected it. @throws ApiError `invalid_cursor`
 */
export async function sessionsOf(
  reader: Reader,
  accountId: string,
  page: { cursor: string | undefined; limit: number },
  now: number,
): Promise<Page<Session>> {
  const operators = await operatorsOf(reader, accountId);
  return newestFirst(
    'ses',
    page,
    (before, many) => listSessions(reader, accountId, { before, many, now, operators }),
    ({ id }) => id,
  );
}

/** Finds one of the sessions that {@link sessionsOf} lists. */
export async function findSessionOf(reader: Reader, accountId: string, id: string, now: number) {
  if (!isId('ses', id)) return null;
  const operators = await operatorsOf(reader, accountId);
  // What follows the id directly: no other id is in between.
  const [found] = await listSessions(reader, accountId, { before: `${id}0`, many: 1, now, operators });
  return found?.id === id ? found : null;
}

/** Ends a session. @returns the accounts that it acted for, or null when it has already ended */
export async function endWhole(tx: Tx, { hash, accountId }: Pick<Session, 'hash' | 'accountId'>) {
  const accounts = new Set([accountId, ...(await accountsOfSession(tx, hash))]);
  return (await endSession(tx, hash)) ? accounts : null;
}

/** Ends an operator session for one account. It goes on for the person's other accounts. */
export const endForAccount = (tx: Tx, { hash, expiresAt }: Session, accountId: string, now: number): Promise<void> =>
  endSelection(tx, { accountId, sessionHash: hash, selectedAt: now, endedAt: now, expiresAt });
