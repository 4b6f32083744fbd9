import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { ACCESS_TOKENS } from './delegation-table.ts';

export const insertAccessToken = ACCESS_TOKENS.insert();
export const findAccessToken = ACCESS_TOKENS.find();
/** @returns 0 when there is no such token */
export const deleteAccessToken = ACCESS_TOKENS.remove();
/** Deletes the tokens that a named key got. */
export const deleteTokensOfKey = ACCESS_TOKENS.remove(['keyId']);
export const purgeAccessTokens = ACCESS_TOKENS.purge('expiresAt');

const sql = tables<{ access_tokens: RowOf<typeof ACCESS_TOKENS> }>();

const deleteOfAccount = sql((q, p: { account_id: string }) =>
  q
    .deleteFrom('access_tokens')
    .where((eb) => eb.or([eb('account_id', '=', p.account_id), eb('actor_id', '=', p.account_id)])),
);
const ofActor = sql((q, p: { actor_id: string }) =>
  q.selectFrom('access_tokens').select('account_id').where('actor_id', '=', p.actor_id),
);

/** Deletes the tokens that act on an account, and those that it got. @returns how many */
export const deleteTokensOfAccount = (tx: Tx, accountId: string): Promise<number> =>
  tx.run(deleteOfAccount, { account_id: accountId });

/** Lists the accounts on which the tokens of an actor act. */
export const accountsActedOn = async (reader: Reader, actorId: string): Promise<string[]> => [
  ...new Set((await reader.all(ofActor, { actor_id: actorId })).map((row) => row.account_id)),
];
