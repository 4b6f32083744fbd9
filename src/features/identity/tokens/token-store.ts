import type { Kysely } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { type IssuedToken, TOKENS, type TokenStatus } from './token-table.ts';

export const insertToken = TOKENS.insert();
export const findToken = TOKENS.find();
const listAll = TOKENS.page(['accountId']);

type Tables = { agent_tokens: RowOf<typeof TOKENS> };

const sql = tables<Tables>();

const lastOfKey = sql((q, p: { kid: string }) =>
  q.selectFrom('agent_tokens').select('expires_at').where('kid', '=', p.kid).orderBy('expires_at', 'desc').limit(1),
);

type Range = { account_id: string; before: string; limit: number };
const inRange = (q: Kysely<Tables>, p: Range) =>
  q
    .selectFrom('agent_tokens')
    .select(TOKENS.names)
    .where('account_id', '=', p.account_id)
    .where('jti', '<', p.before)
    .orderBy('jti', 'desc')
    .limit(p.limit);

/** `since` is an id: no token that was issued earlier can still be valid. */
const activeOf = sql((q, p: Range & { since: string; now: number }) =>
  inRange(q, p).where('jti', '>=', p.since).where('revoked_at', 'is', null).where('expires_at', '>', p.now),
);
const expiredOf = sql((q, p: Range & { now: number }) =>
  inRange(q, p).where('revoked_at', 'is', null).where('expires_at', '<=', p.now),
);
const revokedOf = sql((q, p: Range) => inRange(q, p).where('revoked_at', 'is not', null));

const revokeOfKey = sql((q, p: { kid: string; now: number }) =>
  q
    .updateTable('agent_tokens')
    .set({ revoked_at: p.now })
    .where('kid', '=', p.kid)
    .where('expires_at', '>', p.now)
    .where('revoked_at', 'is', null),
);

/** In the order of the index by key, so that no page reads the tokens before it again. */
const revokedOfKey = sql((q, p: { kid: string; revoked_at: number; expires_at: number; jti: string; limit: number }) =>
  q
    .selectFrom('agent_tokens')
    .select(['jti', 'account_id', 'expires_at'])
    .where('kid', '=', p.kid)
    .where('expires_at', '>=', p.expires_at)
    .where((eb) => eb.or([eb('expires_at', '>', p.expires_at), eb('jti', '>', p.jti)]))
    .where('revoked_at', '=', p.revoked_at)
    .orderBy('expires_at')
    .orderBy('jti')
    .limit(p.limit),
);

const revokeOfAccount = sql((q, p: { account_id: string; since: string; now: number }) =>
  q
    .updateTable('agent_tokens')
    .set({ revoked_at: p.now })
    .where('account_id', '=', p.account_id)
    .where('jti', '>=', p.since)
    .where('expires_at', '>', p.now)
    .where('revoked_at', 'is', null),
);

export interface TokenRange {
  accountId: string;
  /** An id: only tokens with smaller ones. */
  before: string;
  many: number;
  now: number;
}

/** Lists tokens of an account, newest first. `since`: an id at or before that of the oldest token that can be active. */
export async function listTokens(
  reader: Reader,
  status: TokenStatus | undefined,
  { accountId, before, many, now }: TokenRange,
  since: string,
): Promise<IssuedToken[]> {
  if (status === undefined) return listAll(reader, { accountId }, { jti: before }, many);
  const range = { account_id: accountId, before, limit: many };
  const read = {
    active: () => reader.all(activeOf, { ...range, since, now }),
    expired: () => reader.all(expiredOf, { ...range, now }),
    revoked: () => reader.all(revokedOf, range),
  };
  return (await read[status]()).map(TOKENS.fromRow);
}

/** Revokes every token of a key that has not expired. @returns how many */
export const revokeTokensOf = (tx: Tx, kid: string, now: number): Promise<number> => tx.run(revokeOfKey, { kid, now });

/** A place in the tokens of a key, which are read in the order of their end. */
export interface TokenPlace {
  expiresAt: number;
  jti: string;
}

/** Lists tokens of a key that were revoked with it at `revokedAt` and lie behind a place. */
export async function tokensRevokedWith(
  reader: Reader,
  key: { kid: string; revokedAt: number },
  { expiresAt, jti }: TokenPlace,
  limit: number,
): Promise<(TokenPlace & { accountId: string })[]> {
  const range = { kid: key.kid, revoked_at: key.revokedAt, expires_at: expiresAt, jti, limit };
  return (await reader.all(revokedOfKey, range)).map((row) => ({
    jti: row.jti,
    accountId: row.account_id,
    expiresAt: row.expires_at,
  }));
}

/** Revokes every token of an account that has not expired. `since` as in {@link listTokens}. @returns how many */
export const revokeTokensOfAccount = (tx: Tx, accountId: string, since: string, now: number): Promise<number> =>
  tx.run(revokeOfAccount, { account_id: accountId, since, now });

/** @returns false when the token was already revoked or belongs to another account */
export const markRevoked = TOKENS.patch(['revokedAt'], { revokedAt: null }, ['jti', 'accountId']);

/** Returns when the last token of a key expires, or 0 when the key signed none. */
export const lastExpiryOf = async (reader: Reader, kid: string): Promise<number> =>
  (await reader.first(lastOfKey, { kid }))?.expires_at ?? 0;
