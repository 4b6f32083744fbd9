import { hash } from 'node:crypto';
import { compactVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { iso } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { type Account, findAccount, isOpen, requireAccount } from '../accounts/account-rules.ts';
import type { Keyring } from './signing-key-rules.ts';
import { findToken, type IssuedToken, insertToken, markRevoked } from './token-store.ts';

/** The claims of an Agent Authentication Token (spec, AAT claims; RFC 9068 2.2). Times in seconds. */
export interface TokenClaims {
  iss: string;
  sub: string;
  aud: string;
  client_id: string;
  iat: number;
  exp: number;
  jti: string;
  scope: string;
  scopes: string[];
  agent_id: string;
  agent_name: string;
  agent_email?: string;
  /** Whether it is an address of this service that the account owns. */
  agent_email_verified?: boolean;
}

export interface TokenRequest {
  audience: string;
  scopes: string[];
  ttlSeconds: number;
  agentName: string | null;
  agentEmail: string | null;
}

export type TokenStatus = 'active' | 'expired' | 'revoked';

export interface TokenRules {
  /** Builds and signs a token. @throws ApiError `scope_ceiling_exceeded`, `signing_unavailable`, `invalid_request` */
  issue(principal: Principal, request: TokenRequest, now: number): Promise<{ token: string; issued: IssuedToken }>;
  /** Puts an issued token on record; only then may it leave the house. */
  record(tx: Tx, issued: IssuedToken, now: number): Promise<void>;
  /** The claims of a token that is valid in every respect, else null (RFC 7662 2.2). */
  introspect(token: string, now: number): Promise<TokenClaims | null>;
  /** The caller's token of this text or `jti`; null for another's and for what is none. */
  own(accountId: string, tokenOrJti: string): Promise<IssuedToken | null>;
  revoke(tx: Tx, issued: IssuedToken, now: number): Promise<void>;
  status(jti: string, now: number): Promise<{ issued: IssuedToken; status: TokenStatus }>;
}

export interface TokenDeps {
  database: Database;
  keyring: Keyring;
  appendEvent: AppendEvent<Tx>;
  /** The issuer. */
  baseUrl(): string;
  /** Whether an address is the account's own. */
  ownsAddress(accountId: string, address: string): Promise<boolean>;
}

/** The form and number of a token's scopes, and its life. */
export const SCOPE_PATTERN = '^[a-z][a-z0-9._:-]{0,127}$';
export const SCOPES_MAX = 20;
export const TTL_SECONDS = { min: 60, byDefault: 3600, max: 86_400 } as const;
/** Longer than any that is issued here. */
const TOKEN_LENGTH_MAX = 8192;
const REMEMBERED_MAX = 10_000;

/** base64url as RFC 7515 2 wants it: no other text stands for the same bytes. */
const isCanonical = (part: string): boolean =>
  part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;

/** The key id of a header that is exactly what we write: any further member could change what a verifier does (RFC 8725 3). */
function keyIdOf(header: string): string | null {
  try {
    const { alg, typ, kid, ...others } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    const isOurs = alg === 'EdDSA' && typ === 'at+jwt' && typeof kid === 'string' && Object.keys(others).length === 0;
    return isOurs ? kid : null;
  } catch {
    return null;
  }
}

const statusOf = ({ revokedAt, expiresAt }: IssuedToken, now: number): TokenStatus =>
  revokedAt !== null ? 'revoked' : now >= expiresAt ? 'expired' : 'active';

export function createTokenRules(deps: TokenDeps): TokenRules {
  const { database, keyring, appendEvent, baseUrl, ownsAddress } = deps;
  /** Claims by the hash of a token whose signature held. Whether it is still good is asked each time. */
  const verified = new LRUCache<string, TokenClaims>({ max: REMEMBERED_MAX });

  async function claimsOf(token: string): Promise<TokenClaims | null> {
    if (token.length > TOKEN_LENGTH_MAX) return null;
    const parts = token.split('.');
    if (parts.length !== 3 || !parts.every(isCanonical)) return null;
    const kid = keyIdOf(parts[0] as string);
    if (kid === null) return null;
    const key = hash('sha256', token, 'hex');
    const known = verified.get(key);
    if (known) return known;
    const publicKey = await keyring.find(kid);
    if (!publicKey) return null;
    try {
      const { payload } = await compactVerify(token, publicKey, { algorithms: ['EdDSA'] });
      const claims = JSON.parse(Buffer.from(payload).toString('utf8')) as TokenClaims;
      verified.set(key, claims);
      return claims;
    } catch {
      return null;
    }
  }

  /** What is asked for must lie below the account's ceiling and, for a pod, below its platform's. */
  async function requireBelowCeiling(account: Account, scopes: readonly string[]): Promise<void> {
    const parent = account.parentId === null ? null : await findAccount(database, account.parentId);
    const ceilings = [account.allowedScopes, parent?.allowedScopes ?? null].filter((ceiling) => ceiling !== null);
    const beyond = scopes.filter((scope) => !ceilings.every((ceiling) => ceiling.includes(scope)));
    if (beyond.length === 0) return;
    const allowed = ceilings.reduce((a, b) => a.filter((scope) => b.includes(scope)));
    throw new ApiError('scope_ceiling_exceeded', {
      message: `Beyond what this account may ask for: ${beyond.join(', ')}.`,
      facts: { allowed_scopes: allowed },
    });
  }

  return {
    async issue(principal, request, now) {
      const key = await keyring.current();
      if (!key) throw new ApiError('signing_unavailable');
      const { accountId } = principal;
      const account = await requireAccount(database, accountId);
      await requireBelowCeiling(account, request.scopes);
      const { agentEmail } = request;
      const iat = Math.floor(now / 1000);
      const exp = iat + Math.floor(request.ttlSeconds);
      const jti = newId('aat', now);
      const claims: TokenClaims = {
        iss: baseUrl(),
        sub: accountId,
        aud: request.audience,
        client_id: accountId,
        iat,
        exp,
        jti,
        scope: request.scopes.join(' '),
        scopes: request.scopes,
        agent_id: accountId,
        agent_name: request.agentName ?? account.name ?? accountId,
        // Said by the agent; whether it is true, by the service.
        ...(agentEmail === null
          ? {}
          : { agent_email: agentEmail, agent_email_verified: await ownsAddress(accountId, agentEmail) }),
      };
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid })
        .sign(key.privateKey);
      const { audience, scopes } = request;
      const times = { issuedAt: iat * 1000, expiresAt: exp * 1000, revokedAt: null };
      return { token, issued: { jti, accountId, kid: key.kid, audience, scopes, ...times } };
    },

    async record(tx, issued, now) {
      await insertToken(tx, issued);
      const { jti, accountId, audience, scopes, expiresAt } = issued;
      const data = { jti, audience, scopes, expires_at: iso(expiresAt) };
      await appendEvent(tx, { accountId, type: 'token.issued', data, now });
    },

    async introspect(token, now) {
      const claims = await claimsOf(token);
      if (!claims || claims.iss !== baseUrl() || now < claims.iat * 1000 || now >= claims.exp * 1000) return null;
      const issued = await findToken(database, claims.jti);
      if (!issued || statusOf(issued, now) !== 'active') return null;
      return (await isOpen(database, await findAccount(database, issued.accountId))) ? claims : null;
    },

    async own(accountId, tokenOrJti) {
      const jti = tokenOrJti.includes('.') ? (await claimsOf(tokenOrJti))?.jti : tokenOrJti;
      const issued = jti === undefined ? null : await findToken(database, jti);
      return issued?.accountId === accountId ? issued : null;
    },

    async revoke(tx, { jti, accountId }, now) {
      if (await markRevoked(tx, jti, accountId, now))
        await appendEvent(tx, { accountId, type: 'token.revoked', data: { jti }, now });
    },

    async status(jti, now) {
      const issued = await findToken(database, jti);
      if (!issued) throw new ApiError('not_found', { message: 'There is no such token.' });
      return { issued, status: statusOf(issued, now) };
    },
  };
}
