import { requireNoDeletion } from '../../api/account/pending-deletion.ts';
import type { AuthNeed, ByAddress, Endpoint } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import { insufficientScope, requireScope, requireWhole, type Scope } from '../../api/scopes.ts';
import { type Awaitable, onceThere } from '../../base/lazy.ts';

/** What a call names, and what its endpoint needs, beside the credential. */
interface Access {
  account?: string | undefined;
  ip?: string | undefined;
  whileSuspended?: boolean | undefined;
  auth?: AuthNeed | undefined;
  forClients?: boolean | undefined;
}

/**
 * Finds the owner of a bearer token. Null: the token is not valid.
 * @throws ApiError 404 for an account that it may not act for; 403 for a suspended account or pod
 */
export type Authenticate = (token: string, now: number, access?: Access) => Awaitable<Principal | null>;

/** Selects the account that an operator session acts for. */
export const ACCOUNT_HEADER = 'signet-account';

/** The headers that say who calls, and for which account. */
export interface CallerHeaders {
  authorization?: string | undefined;
  'x-api-key'?: string | string[] | undefined;
  [ACCOUNT_HEADER]?: string | string[] | undefined;
}

/** RFC 6750 3: a 401 names the scheme to use. */
export const CHALLENGE = { 'www-authenticate': 'Bearer realm="signet"' };

/** The token of an `Authorization: Bearer …` header (RFC 6750 2.1). The scheme is case-insensitive (RFC 9110 11.1). */
export function bearerToken(header: string | undefined): string | null {
  const match = /^bearer +([\w.~+/=-]{1,512})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** What an endpoint needs of a credential: its kind, its scope, and which of the lesser credentials are refused. */
export interface Need {
  auth: Exclude<AuthNeed, 'none'>;
  scope: Scope;
  wholeAccount?: boolean | undefined;
  outlives?: boolean | undefined;
  passesOn?: boolean | undefined;
  anyScope?: boolean | undefined;
  /** Whether it takes a token that came from an authorization code: `/mcp` does, for what it calls. */
  forClients?: boolean | undefined;
  addresses?: ByAddress | undefined;
  whileSuspended?: boolean | undefined;
}

/**
 * Refuses a credential of the wrong kind or with too little scope. The only check of an endpoint's scope.
 * @throws ApiError 403
 */
export function requireAuthority(principal: Principal, need: Need): void {
  const { auth, scope, wholeAccount, outlives, passesOn, anyScope, forClients, addresses } = need;
  if (principal.grant !== null && !forClients)
    throw insufficientScope(scope, 'A token that came from an authorization code is accepted at /mcp alone.');
  if (principal.kind === 'backup' && auth !== 'backup') throw new ApiError('backup_key_only_activates');
  if (principal.kind === 'pod' && auth === 'platform') throw new ApiError('pod_auth_forbidden');
  const isDelegated = principal.delegation !== null;
  if (!anyScope && !(passesOn && isDelegated)) requireScope(principal, scope);
  if (wholeAccount) requireWhole(principal, scope);
  if (outlives && (isDelegated || principal.grant !== null))
    throw insufficientScope(scope, 'An access token cannot do this: the effect would outlast the token.');
  if (addresses === 'refused' && principal.addresses !== null)
    throw insufficientScope(scope, 'A credential that is limited to addresses cannot do this.');
  if (auth === 'person' && principal.person === null)
    throw new ApiError('session_required', { message: 'Only the session of a person can do this. Log in by email.' });
}

/** An account that is going to be deleted only reads; its people go on. @throws ApiError `account_deleting` */
export function requireNotDeleting(principal: Principal, { auth, effect, method, whileSuspended }: Endpoint): void {
  if (auth === 'person' || effect !== 'write' || method === 'GET' || whileSuspended) return;
  requireNoDeletion(principal);
}

/** Whether the kind, the scopes and the addresses of a credential allow a call, and its account is not being deleted. */
export function mayCall(principal: Principal, endpoint: Endpoint): boolean {
  const { auth, scope } = endpoint;
  if (auth === 'none' || scope === undefined) return true;
  try {
    requireAuthority(principal, { ...endpoint, auth, scope, forClients: true });
    requireNotDeleting(principal, endpoint);
    return true;
  } catch {
    return false;
  }
}

/** Three parts of base64url, as in a JWT. Longer than any key of ours. */
const SIGNED_TOKEN = /^(?:bearer +)?ey[\w-]+\.[\w-]+\.[\w-]+$/i;
const NOT_A_KEY = 'This is a signed token, which proves to others who you are. Here, send an API key.';

/** What is wrong with headers that hold no bearer token. */
function mistakeIn({ authorization, 'x-api-key': apiKey }: CallerHeaders): string | undefined {
  if (authorization === undefined)
    return apiKey === undefined ? undefined : 'Send the key as Authorization: Bearer signet_live_…, not as X-API-Key.';
  if (/^basic\b/i.test(authorization)) return 'Basic is not supported. Send Authorization: Bearer signet_live_….';
  if (SIGNED_TOKEN.test(authorization)) return NOT_A_KEY;
  return /^bearer\b/i.test(authorization)
    ? 'The key after Bearer is empty or has characters that no key has.'
    : 'The word Bearer is missing. Send Authorization: Bearer signet_live_….';
}

/** Why a token does not work here, from its form alone. */
function mistakeOf(token: string): string {
  if (SIGNED_TOKEN.test(token)) return NOT_A_KEY;
  if (token.startsWith('device_')) return 'This is a device code. Send it in the body of POST /v1/credentials/poll.';
  return 'The key is unknown, revoked, expired or mistyped.';
}

/**
 * Finds the caller. Whether it may make the call is for {@link requireAuthority}.
 * @throws ApiError `unauthorized`, `not_found` for an account that is not the caller's, or 403 for a suspended one
 */
export function requirePrincipal(
  authenticate: Authenticate,
  headers: CallerHeaders,
  { whileSuspended, auth }: Need,
  { ip, now }: { ip?: string | undefined; now: number },
): Awaitable<Principal> {
  const token = bearerToken(headers.authorization);
  const { [ACCOUNT_HEADER]: account } = headers;
  // Whether the token of a client may make this call is known once it is known whose it is.
  const access = { account: account?.toString(), ip, whileSuspended, auth, forClients: true };
  return onceThere(token === null ? null : authenticate(token, now, access), (principal) => {
    if (principal !== null) return principal;
    const message = token === null ? mistakeIn(headers) : mistakeOf(token);
    throw new ApiError('unauthorized', { headers: CHALLENGE, ...(message ? { message } : {}) });
  });
}
