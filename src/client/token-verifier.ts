import { systemNow } from './client-clock.ts';
import { type Bytes, fromBase64, textOf, utf8 } from './encoding.ts';
import { KeySet } from './key-set.ts';
import { type SignetCryptoCode, SignetCryptoError } from './signet-error.ts';

/**
 * Checks Agent Authentication Tokens where they are received, without asking the service about each: the signature
 * against the keys it publishes, and everything RFC 8725 asks of a verifier. A revoked token stays good until it
 * expires; `introspectToken` knows better.
 */

/** What a good token says (spec, AAT claims). Times are seconds since the epoch. */
export interface TokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  iat: number;
  exp: number;
  jti: string;
  scopes: string[];
  agent_id: string;
  agent_name?: string;
  nbf?: number;
  [claim: string]: unknown;
}

export interface TokenVerifierOptions {
  /** Who must have issued it: the service's base address. */
  issuer: string;
  /** Whom it must be for: you. */
  audience: string;
  /** Default: the issuer's. Never taken from a token. */
  jwksUrl?: string;
  /** Scopes it must have, all of them. */
  scopes?: readonly string[];
  /** How far clocks may differ, seconds. Default 5, at most 60. */
  leewaySeconds?: number;
  fetch?: typeof fetch;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface TokenVerifier {
  /** @throws SignetCryptoError naming the check that failed */
  verify(token: string): Promise<TokenClaims>;
}

const TOKEN_MAX = 16_384;
const LEEWAY_SECONDS = 5;
const LEEWAY_MAX_SECONDS = 60;

const refuse = (code: SignetCryptoCode, message: string): never => {
  throw new SignetCryptoError(code, message);
};

function jsonOf(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textOf(fromBase64(part)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  return refuse('malformed', 'A part of the token is not a JSON object in base64url.');
}

/** The signed parts of a compact JWS (RFC 7515 7.1); its header is believed for nothing but the key's id. */
function parse(token: string): { kid: string; signed: Bytes; signature: Bytes; claims: Record<string, unknown> } {
  const parts = token.length <= TOKEN_MAX ? token.split('.') : [];
  const [head = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part)))
    refuse('malformed', 'This is not a signed token.');
  const header = jsonOf(head);
  // One algorithm, whatever the token would like (RFC 8725 3.1); a type, so that no other JWT passes for one (3.11).
  if (header.alg !== 'EdDSA') refuse('signature_invalid', 'The token is not signed with EdDSA.');
  if (!/^(?:application\/)?at\+jwt$/i.test(String(header.typ))) refuse('wrong_type', 'This is not an access token.');
  if (header.crit !== undefined) refuse('malformed', 'The token asks for extensions that this library does not know.');
  if (typeof header.kid !== 'string') refuse('unknown_key', 'The token does not name its key.');
  return {
    kid: header.kid as string,
    signed: utf8(`${head}.${payload}`),
    signature: fromBase64(signature),
    claims: jsonOf(payload),
  };
}

function requireClaims(claims: Record<string, unknown>, options: TokenVerifierOptions): TokenClaims {
  const now = (options.now ?? systemNow)() / 1000;
  const leeway = Math.min(options.leewaySeconds ?? LEEWAY_SECONDS, LEEWAY_MAX_SECONDS);
  const { iss, aud, exp, nbf, iat, sub, jti } = claims;
  if (iss !== options.issuer) refuse('wrong_issuer', 'The token is another issuer’s.');
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(options.audience)) refuse('wrong_audience', 'The token is for another audience.');
  if (typeof exp !== 'number' || typeof iat !== 'number' || typeof sub !== 'string' || typeof jti !== 'string')
    refuse('malformed', 'The token lacks exp, iat, sub or jti.');
  if (nbf !== undefined && typeof nbf !== 'number') refuse('malformed', 'nbf is not a number.');
  if ((exp as number) <= now - leeway) refuse('expired', 'The token has expired.');
  if (Math.max(iat as number, (nbf as number | undefined) ?? 0) > now + leeway)
    refuse('not_yet_valid', 'The token is not valid yet.');
  const granted: unknown[] = Array.isArray(claims.scopes) ? claims.scopes : [];
  const missing = (options.scopes ?? []).filter((scope) => !granted.includes(scope));
  if (missing.length > 0) refuse('missing_scope', `The token does not have ${missing.join(', ')}.`);
  return claims as TokenClaims;
}

/** Keep one for each issuer and audience: it remembers the issuer's keys. */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { issuer, fetch, now } = options;
  const url = options.jwksUrl ?? `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`;
  const keys = new KeySet({ url, ...(fetch ? { fetch } : {}), ...(now ? { now } : {}) });
  return {
    verify: async (token) => {
      const { kid, signed, signature, claims } = parse(token);
      const key = await keys.find(kid);
      const holds = signature.length === 64 && (await crypto.subtle.verify('Ed25519', key, signature, signed));
      if (!holds) refuse('signature_invalid', 'The token was not signed by its issuer, or was changed since.');
      return requireClaims(claims, options);
    },
  };
}
