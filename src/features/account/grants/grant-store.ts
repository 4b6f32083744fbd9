import type { Tx } from '../../../api/transaction.ts';
import { GRANT_TOKENS, GRANTS } from './grant-table.ts';

export const insertGrant = GRANTS.insert();
export const findGrant = GRANTS.find();
/** Lists the grants of an account before an id, newest first. */
export const listGrants = GRANTS.page(['accountId']);
/** Notes that a grant got tokens, and until when it lasts. */
export const saveGrantUse = GRANTS.patch(['lastUsedAt', 'expiresAt']);
/** Notes the named key that a grant got. */
export const saveGrantKey = GRANTS.patch(['lastUsedAt', 'expiresAt', 'keyId']);
/** Lists every grant of an account. */
export const grantsOf = GRANTS.list(['accountId']);
const removeGrant = GRANTS.remove();
const purgeExpired = GRANTS.purge('expiresAt');

export const insertToken = GRANT_TOKENS.insert();
export const findToken = GRANT_TOKENS.find();
/** Marks a code or refresh token as used, and sets until when it is kept. @returns false when it was used before */
export const useToken = GRANT_TOKENS.patch(['usedAt', 'expiresAt'], { usedAt: null });
/** @returns 0 when there is no such token */
export const deleteToken = GRANT_TOKENS.remove();
const listOpen = GRANT_TOKENS.list(['grantId', 'expiresAt'], { kind: 'access' });
const removeTokensOf = GRANT_TOKENS.remove(['grantId']);
const purgeTokens = GRANT_TOKENS.purge('expiresAt');

/** Deletes a grant with its code and tokens. @returns how many access tokens ended; null when there was no grant */
export async function deleteGrant(tx: Tx, id: string, now: number): Promise<number | null> {
  const open = await listOpen(tx, id, now);
  await removeTokensOf(tx, id);
  return (await removeGrant(tx, id)) === 1 ? open.length : null;
}

export async function purgeGrants(tx: Tx, now: number): Promise<void> {
  await purgeTokens(tx, now);
  await purgeExpired(tx, now);
}
