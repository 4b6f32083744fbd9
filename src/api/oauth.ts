import type { AuditNote } from './endpoint.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Scope } from './scopes.ts';
import type { Tx } from './transaction.ts';

/** What the features that answer `POST /oauth/token` share. */

/** An error of the token endpoint, with the field that OAuth clients read (RFC 6749 5.2). */
export const oauthError = (
  code: Extract<
    ErrorCode,
    | 'invalid_request'
    | 'invalid_scope'
    | 'invalid_target'
    | 'invalid_grant'
    | 'invalid_client'
    | 'unsupported_grant_type'
    | 'authorization_pending'
    | 'slow_down'
    | 'access_denied'
    | 'expired_token'
  >,
  message: string,
): ApiError => new ApiError(code, { message, fields: { error_description: message } });

/** A token request as sent (RFC 6749 4.1.3, 6; RFC 8628 3.4; RFC 8693 2.1). */
export interface TokenForm {
  grant_type: string;
  code?: string;
  redirect_uri?: string;
  client_id?: string;
  code_verifier?: string;
  refresh_token?: string;
  device_code?: string;
  scope?: string;
  resource?: string;
  audience?: string;
  subject_token?: string;
  subject_token_type?: string;
  requested_token_type?: string;
  actor_token?: string;
  actor_token_type?: string;
}

/** What a token request gets (RFC 6749 5.1, RFC 8693 2.2.1). */
export interface GrantedTokens {
  accessToken: string;
  refreshToken?: string;
  issuedTokenType?: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  scopes: readonly Scope[];
}

/** A way to get tokens: one value of `grant_type`. */
export interface GrantType {
  name: string;
  /** @throws ApiError */
  issue(
    tx: Tx,
    call: { form: TokenForm; principal: Principal | null; now: number },
    audit: AuditNote,
  ): Promise<GrantedTokens>;
  /** Called after an error, when the transaction of {@link issue} has rolled back. */
  afterRefusal?(err: unknown, now: number): Promise<void>;
}

/** The resource that clients of people get tokens for (RFC 8707). */
export const clientResource = (baseUrl: string): string => `${baseUrl}/mcp`;

/**
 * The command line of this service. It needs no registration. It alone asks for the API itself, and gets a named key in place
 * of tokens.
 */
export const COMMAND_LINE_CLIENT = 'signet-cli';

/** The only resource that a client may ask for. */
export const resourceOf = (clientId: string, baseUrl: string): string =>
  clientId === COMMAND_LINE_CLIENT ? baseUrl : clientResource(baseUrl);

/** Whether a resource is that one. Some clients of people name none; the command line always does. */
export function isResourceOf(clientId: string, resource: string | undefined, baseUrl: string): boolean {
  if (resource === undefined) return clientId !== COMMAND_LINE_CLIENT;
  const own = resourceOf(clientId, baseUrl);
  return resource === own || resource === `${own}/`;
}

/** How a device gets what a person allowed with its user code (RFC 8628 3.4). */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** What a client gets that asks for no scope: enough to find its way. It asks for more when a call is refused. */
export const BASIC_SCOPES = ['account:read', 'mail:read'] as const satisfies readonly Scope[];
