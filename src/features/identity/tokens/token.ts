import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { LockdownHook } from '../../../api/account/lockdown-parts.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import { insufficientScope, isScope, requireScope } from '../../../api/scopes.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import type { WatchCache } from '../../../base/cache-fill.ts';
import { iso } from '../../../base/clock.ts';
import { idBoundary, newId } from '../../../base/ids.ts';
import { isCompactSigned, signCompact } from '../../../base/jws.ts';
import { type Account, findAccount, isOpen, requireAccount } from '../../account/accounts/account-lifecycle.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { AccessTokenRules } from '../../account/delegations/access-token.ts';
import type { GrantTokenRules } from '../../account/grants/grant-tokens.ts';
import type { Keyring } from './signing-keys.ts';
import { findToken, insertToken, listTokens, markRevoked, revokeTokensOfAccount } from './token-store.ts';
import type { IssuedToken, TokenStatus } from './token-table.ts';

/** The claims of an Agent Authentication Token (RFC 9068 2.2). Times are in seconds. */
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
  /** Whether the account owns the address on this service. */
  agent_email_verified?: boolean;
}

/** A token whose signature was checked. */
interface Verified {
  /** The key that signed it. */
  kid: string;
  claims: TokenClaims;
}

export interface TokenRequest {
  audience: string;
  scopes: string[];
  ttlSeconds: number;
  agentName: string | null;
  agentEmail: string | null;
}

/** What tokens need. Each part takes what it uses of this. */
export interface TokenDeps {
  database: Database;
  gate: Gate;
  keyring: Keyring;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  /** The issuer. */
  baseUrl(): string;
  addresses: AddressRules;
  watchCache: WatchCache;
  /** The access tokens of delegates. */
  accessTokens: AccessTokenRules;
  /** The access tokens of clients. */
  grantTokens: GrantTokenRules;
}

/** The form of our key ids: SHA-256 in base64url (RFC 7638). No other text reaches the database. */
const THUMBPRINT = /^[\w-]{43}$/;

/** The format and number of a token's scopes, and its lifetime. */
export const SCOPE_PATTERN = '^[a-z][a-z0-9._:-]{0,127}$';
export const SCOPES_MAX = 20;
export const TTL_SECONDS = { min: 60, byDefault: 3600, max: 86_400 } as const;
/** Longer than any token of this service. */
const TOKEN_LENGTH_MAX = 8192;
const CACHED_MAX = 10_000;
/** The start of a token’s lifetime is rounded to a second. */
const SECOND_MS = 1000;

/** Whether text is canonical base64url (RFC 7515 2), so that no other text decodes to the same bytes. */
const isCanonical = (part: string): boolean =>
  part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;

/** Returns the key id of a header in exactly our form. Another member could change what a verifier does (RFC 8725 3). */
function keyIdOf(header: string): string | null {
  try {
    const { alg, typ, kid, ...others } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    const isOurs = alg === 'EdDSA' && typ === 'at+jwt' && Object.keys(others).length === 0;
    return isOurs && typeof kid === 'string' && THUMBPRINT.test(kid) ? kid : null;
  } catch {
    return null;
  }
}

export const statusOf = ({ revokedAt, expiresAt }: IssuedToken, now: number): TokenStatus =>
  revokedAt !== null ? 'revoked' : now >= expiresAt ? 'expired' : 'active';

/** Issues, verifies and revokes Agent Authentication Tokens. */
export class TokenRules {
  readonly #deps: TokenDeps;
  /** Claims by the hash of a token with a valid signature. The status of the token is read for each call. */
  readonly #verified: LRUCache<string, Verified>;

  constructor(deps: TokenDeps) {
    this.#deps = deps;
    this.#verified = deps.watchCache('tokens', new LRUCache({ max: CACHED_MAX }));
  }

  /**
   * Builds and signs a token.
   * @throws ApiError `insufficient_scope`, `scope_ceiling_exceeded`, `signing_unavailable`, `invalid_request`
   */
  async issue(
    principal: Principal,
    request: TokenRequest,
    now: number,
  ): Promise<{ token: string; issued: IssuedToken }> {
    requireWithinKey(principal, request, now);
    const { accountId } = principal;
    const { database, keyring } = this.#deps;
    const key = await keyring.current();
    if (!key) throw new ApiError('signing_unavailable');
    const account = await requireAccount(database, accountId);
    await requireAllowedScopes(database, account, request.scopes);
    const claims = await this.#claimsFor(account, request, now);
    const token = signCompact({ typ: 'at+jwt', kid: key.kid }, claims, key.privateKey);
    const { jti, iat, exp } = claims;
    const { audience, scopes } = request;
    const times = { issuedAt: iat * 1000, expiresAt: exp * 1000, revokedAt: null };
    return { token, issued: { jti, accountId, kid: key.kid, audience, scopes, ...times } };
  }

  /**
   * Records an issued token. A token must not be returned to the client before this has committed.
   * @throws ApiError `storage_unavailable` when the key was revoked since it signed
   */
  async record(tx: Tx, issued: IssuedToken, now: number): Promise<void> {
    await this.#deps.keyring.requireUsable(tx, issued.kid);
    await insertToken(tx, issued);
    const { jti, accountId, audience, scopes, expiresAt } = issued;
    const data = { jti, audience, scopes, expires_at: iso(expiresAt) };
    await this.#deps.appendEvent(tx, { accountId, type: 'token.issued', data, now });
  }

  /** Returns the claims of a token that is valid in every respect, otherwise null (RFC 7662 2.2). */
  async introspect(token: string, now: number): Promise<TokenClaims | null> {
    const { database, baseUrl } = this.#deps;
    const verified = await this.#verify(token);
    if (!verified) return null;
    const { kid, claims } = verified;
    if (claims.iss !== baseUrl() || now < claims.iat * 1000 || now >= claims.exp * 1000) return null;
    const issued = await findToken(database, claims.jti);
    // A stolen key could sign the id of a token that another key signed.
    if (!issued || issued.kid !== kid || statusOf(issued, now) !== 'active') return null;
    return (await isOpen(database, await findAccount(database, issued.accountId))) ? claims : null;
  }

  /** Finds a token of the account by its text or `jti`. Returns null for any other text, and for other accounts' tokens. */
  async own(accountId: string, tokenOrJti: string): Promise<IssuedToken | null> {
    const jti = tokenOrJti.includes('.') ? (await this.#verify(tokenOrJti))?.claims.jti : tokenOrJti;
    const issued = jti === undefined ? null : await findToken(this.#deps.database, jti);
    return issued?.accountId === accountId ? issued : null;
  }

  /** Lists the tokens of an account, newest first. @throws ApiError `invalid_cursor` */
  list(
    accountId: string,
    { status, cursor, limit }: { status: TokenStatus | undefined; cursor: string | undefined; limit: number },
    now: number,
  ): Promise<Page<IssuedToken>> {
    const since = idBoundary('aat', now - TTL_SECONDS.max * 1000 - SECOND_MS);
    const read = (before: string, many: number) =>
      listTokens(this.#deps.database, status, { accountId, before, many, now }, since);
    return newestFirst('aat', { cursor, limit }, read, ({ jti }) => jti);
  }

  async revoke(tx: Tx, { jti, accountId }: IssuedToken, now: number): Promise<void> {
    if (await markRevoked(tx, { jti, accountId, revokedAt: now }))
      await this.#deps.appendEvent(tx, { accountId, type: 'token.revoked', data: { jti }, now });
  }

  /** Revokes every token of an account that is being secured. */
  readonly secure: LockdownHook = async (tx, { accountId, now }) => {
    const since = idBoundary('aat', now - TTL_SECONDS.max * 1000 - SECOND_MS);
    return { ended: { tokens: await revokeTokensOfAccount(tx, accountId, since, now) } };
  };

  /** @throws ApiError `not_found` */
  async status(jti: string, now: number): Promise<{ issued: IssuedToken; status: TokenStatus }> {
    const issued = await findToken(this.#deps.database, jti);
    if (!issued) throw new ApiError('not_found', { message: 'There is no such token.' });
    return { issued, status: statusOf(issued, now) };
  }

  async #claimsFor(account: Account, request: TokenRequest, now: number): Promise<TokenClaims> {
    const { database, baseUrl, addresses } = this.#deps;
    const { audience, scopes, ttlSeconds, agentName, agentEmail } = request;
    const { id } = account;
    const owner = agentEmail === null ? null : await addresses.find(database, agentEmail);
    const iat = Math.floor(now / 1000);
    return {
      iss: baseUrl(),
      sub: id,
      aud: audience,
      client_id: id,
      iat,
      exp: iat + Math.floor(ttlSeconds),
      jti: newId('aat', now),
      scope: scopes.join(' '),
      scopes,
      agent_id: id,
      agent_name: agentName ?? account.name ?? id,
      // The agent states the address. The service states whether the agent owns it.
      ...(agentEmail === null ? {} : { agent_email: agentEmail, agent_email_verified: owner?.accountId === id }),
    };
  }

  /** Returns a token with a valid signature of a key of this service that is not revoked, otherwise null. */
  async #verify(token: string): Promise<Verified | null> {
    if (token.length > TOKEN_LENGTH_MAX) return null;
    const parts = token.split('.');
    if (parts.length !== 3 || !parts.every(isCanonical)) return null;
    const kid = keyIdOf(parts[0] as string);
    if (kid === null) return null;
    const publicKey = await this.#deps.keyring.find(kid);
    if (!publicKey) return null;
    const key = hash('sha256', token, 'hex');
    const known = this.#verified.get(key);
    if (known) return known;
    if (!isCompactSigned(token, publicKey)) return null;
    const claims = JSON.parse(Buffer.from(parts[1] as string, 'base64url').toString('utf8')) as TokenClaims;
    const verified = { kid, claims };
    this.#verified.set(key, verified);
    return verified;
  }
}

/**
 * Refuses a token that would exceed or outlive the named key that asks for it. Scopes that are not in this service's
 * table mean something to the receiver only.
 * @throws ApiError `insufficient_scope`
 */
function requireWithinKey(principal: Principal, request: TokenRequest, now: number): void {
  const { scopes, ttlSeconds, agentEmail } = request;
  // The token would vouch for an address that the key may not use.
  if (agentEmail !== null && principal.addresses?.includes(agentEmail) === false)
    throw insufficientScope('identity:issue', 'agent_email is not one of the addresses of this key.');
  if (principal.scopes === null) return;
  for (const scope of scopes) if (isScope(scope)) requireScope(principal, scope);
  if (now + ttlSeconds * 1000 > principal.expiresAt)
    throw insufficientScope('identity:issue', 'The token would outlive the named key. Send a shorter ttl.');
}

/** Refuses scopes that the account, or the platform of a pod, does not allow. @throws ApiError `scope_ceiling_exceeded` */
async function requireAllowedScopes(reader: Reader, account: Account, scopes: readonly string[]): Promise<void> {
  const parent = account.parentId === null ? null : await findAccount(reader, account.parentId);
  const ceilings = [account.allowedScopes, parent?.allowedScopes ?? null].filter((ceiling) => ceiling !== null);
  const beyond = scopes.filter((scope) => !ceilings.every((ceiling) => ceiling.includes(scope)));
  if (beyond.length === 0) return;
  const allowed = ceilings.reduce((a, b) => a.filter((scope) => b.includes(scope)));
  throw new ApiError('scope_ceiling_exceeded', {
    message: `This account may not ask for: ${beyond.join(', ')}.`,
    fields: { allowed_scopes: allowed },
  });
}
