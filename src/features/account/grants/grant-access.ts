import type { Scope } from '../../../api/scopes.ts';
import type { Reader } from '../../../api/transaction.ts';
import { findGrant, findToken } from './grant-store.ts';

/** What the access token of a client opens. */
export interface GrantAccess {
  accountId: string;
  clientId: string;
  grantId: string;
  scopes: Scope[];
  prefix: string;
  createdAt: number;
  expiresAt: number;
}

/** Finds what the access token of a client opens now. Null: it is unknown or has ended, or its grant has. */
export async function openGrantAccess(reader: Reader, hash: string, now: number): Promise<GrantAccess | null> {
  const token = await findToken(reader, hash);
  if (token?.kind !== 'access' || token.expiresAt <= now) return null;
  const grant = await findGrant(reader, token.grantId);
  if (!grant) return null;
  const { grantId, scopes, prefix, createdAt, expiresAt } = token;
  return { accountId: grant.accountId, clientId: grant.clientId, grantId, scopes, prefix, createdAt, expiresAt };
}
