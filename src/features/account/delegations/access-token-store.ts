import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { ACCESS_TOKENS, type AccessToken } from './delegation-table.ts';

type Row = RowOf<typeof ACCESS_TOKENS>;

const sql = tables<{ access_tokens: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('access_tokens').values(ACCESS_TOKENS.values(p)));
const byHash = sql((q, p: { hash: string }) =>
  q.selectFrom('access_tokens').select(ACCESS_TOKENS.names).where('hash', '=', p.hash),
);
const deleteOne = sql((q, p: { hash: string }) => q.deleteFrom('access_tokens').where('hash', '=', p.hash));
const deleteOfKey = sql((q, p: { key_id: string }) => q.deleteFrom('access_tokens').where('key_id', '=', p.key_id));
const deleteOfAccount = sql((q, p: { account_id: string }) =>
  q
    .deleteFrom('access_tokens')
    .where((eb) => eb.or([eb('account_id', '=', p.account_id), eb('actor_id', '=', p.account_id)])),
);
const ofActor = sql((q, p: { actor_id: string }) =>
  q.selectFrom('access_tokens').select('account_id').where('actor_id', '=', p.actor_id),
);
const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('access_tokens').where('expires_at', '<=', p.now));

export const insertAccessToken = async (tx: Tx, token: AccessToken): Promise<void> =>
  void (await tx.run(insertRow, ACCESS_TOKENS.toRow(token)));

export async function findAccessToken(reader: Reader, hash: string): Promise<AccessToken | null> {
  const row = await reader.first(byHash, { hash });
  return row ? ACCESS_TOKENS.fromRow(row) : null;
}

/** @returns false when there is no such token */
export const deleteAccessToken = async (tx: Tx, hash: string): Promise<boolean> =>
  (await tx.run(deleteOne, { hash })) === 1;

/** Deletes the tokens that a named key got. */
export const deleteTokensOfKey = (tx: Tx, keyId: string): Promise<number> => tx.run(deleteOfKey, { key_id: keyId });

/** Deletes the tokens that act on an account, and those that it got. @returns how many */
export const deleteTokensOfAccount = (tx: Tx, accountId: string): Promise<number> =>
  tx.run(deleteOfAccount, { account_id: accountId });

/** Lists the accounts on which the tokens of an actor act. */
export const accountsActedOn = async (reader: Reader, actorId: string): Promise<string[]> => [
  ...new Set((await reader.all(ofActor, { actor_id: actorId })).map((row) => row.account_id)),
];

export const purgeAccessTokens = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
