import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { GRANT_TOKENS, GRANTS, type Grant, type GrantToken } from './grant-table.ts';

type GrantRow = RowOf<typeof GRANTS>;
type TokenRow = RowOf<typeof GRANT_TOKENS>;

const sql = tables<{ grants: GrantRow; grant_tokens: TokenRow }>();

const insertGrantRow = sql((q, p: GrantRow) => q.insertInto('grants').values(GRANTS.values(p)));
const grantById = sql((q, p: { id: string }) => q.selectFrom('grants').select(GRANTS.names).where('id', '=', p.id));
const ofAccount = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('grants')
    .select(GRANTS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const allOfAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('grants').select(GRANTS.names).where('account_id', '=', p.account_id),
);
const setUsed = sql((q, p: { id: string; last_used_at: number; expires_at: number }) =>
  q.updateTable('grants').set({ last_used_at: p.last_used_at, expires_at: p.expires_at }).where('id', '=', p.id),
);
const deleteGrantRow = sql((q, p: { id: string }) => q.deleteFrom('grants').where('id', '=', p.id));
const deleteExpiredGrants = sql((q, p: { now: number }) => q.deleteFrom('grants').where('expires_at', '<=', p.now));

const insertTokenRow = sql((q, p: TokenRow) => q.insertInto('grant_tokens').values(GRANT_TOKENS.values(p)));
const tokenByHash = sql((q, p: { hash: string }) =>
  q.selectFrom('grant_tokens').select(GRANT_TOKENS.names).where('hash', '=', p.hash),
);
const useOne = sql((q, p: { hash: string; used_at: number; expires_at: number }) =>
  q
    .updateTable('grant_tokens')
    .set({ used_at: p.used_at, expires_at: p.expires_at })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null),
);
const deleteTokenRow = sql((q, p: { hash: string }) => q.deleteFrom('grant_tokens').where('hash', '=', p.hash));
const deleteTokensOf = sql((q, p: { grant_id: string }) =>
  q.deleteFrom('grant_tokens').where('grant_id', '=', p.grant_id),
);
const accessOf = sql((q, p: { grant_id: string; kind: 'access'; now: number }) =>
  q
    .selectFrom('grant_tokens')
    .select('hash')
    .where('grant_id', '=', p.grant_id)
    .where('kind', '=', p.kind)
    .where('expires_at', '>', p.now),
);
const deleteExpiredTokens = sql((q, p: { now: number }) =>
  q.deleteFrom('grant_tokens').where('expires_at', '<=', p.now),
);

export const insertGrant = async (tx: Tx, grant: Grant): Promise<void> =>
  void (await tx.run(insertGrantRow, GRANTS.toRow(grant)));

export async function findGrant(reader: Reader, id: string): Promise<Grant | null> {
  const row = await reader.first(grantById, { id });
  return row ? GRANTS.fromRow(row) : null;
}

/** Lists the grants of an account with ids before `before`, newest first. */
export const listGrants = async (reader: Reader, accountId: string, before: string, many: number): Promise<Grant[]> =>
  (await reader.all(ofAccount, { account_id: accountId, before, limit: many })).map(GRANTS.fromRow);

export const grantsOf = async (reader: Reader, accountId: string): Promise<Grant[]> =>
  (await reader.all(allOfAccount, { account_id: accountId })).map(GRANTS.fromRow);

/** Notes that a grant got tokens, and until when it lasts. */
export const saveGrantUse = async (tx: Tx, id: string, now: number, expiresAt: number): Promise<void> =>
  void (await tx.run(setUsed, { id, last_used_at: now, expires_at: expiresAt }));

/** Deletes a grant with its code and tokens. @returns how many access tokens ended; null when there was no grant */
export async function deleteGrant(tx: Tx, id: string, now: number): Promise<number | null> {
  const open = await tx.all(accessOf, { grant_id: id, kind: 'access', now });
  await tx.run(deleteTokensOf, { grant_id: id });
  return (await tx.run(deleteGrantRow, { id })) === 1 ? open.length : null;
}

export const insertToken = async (tx: Tx, token: GrantToken): Promise<void> =>
  void (await tx.run(insertTokenRow, GRANT_TOKENS.toRow(token)));

export async function findToken(reader: Reader, hash: string): Promise<GrantToken | null> {
  const row = await reader.first(tokenByHash, { hash });
  return row ? GRANT_TOKENS.fromRow(row) : null;
}

/** Marks a code or refresh token as used, and keeps it until `keptUntil`. @returns false when it was used before */
export const useToken = async (tx: Tx, hash: string, now: number, keptUntil: number): Promise<boolean> =>
  (await tx.run(useOne, { hash, used_at: now, expires_at: keptUntil })) === 1;

/** @returns false when there is no such token */
export const deleteToken = async (tx: Tx, hash: string): Promise<boolean> =>
  (await tx.run(deleteTokenRow, { hash })) === 1;

export async function purgeGrants(tx: Tx, now: number): Promise<void> {
  await tx.run(deleteExpiredTokens, { now });
  await tx.run(deleteExpiredGrants, { now });
}
