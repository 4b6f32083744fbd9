import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** What is stored of an issued token. The token itself is not stored. */
export const TOKENS = columnMap({
  jti: column.text('jti'),
  accountId: column.text('account_id'),
  /** The key that signed it. */
  kid: column.text('kid'),
  audience: column.text('audience'),
  scopes: column.json<string[]>()('scopes'),
  /** Milliseconds, a whole number of seconds. */
  issuedAt: column.integer('issued_at'),
  expiresAt: column.integer('expires_at'),
  revokedAt: column.integer('revoked_at').orNull(),
});
export type IssuedToken = RecordOf<typeof TOKENS>;

export type TokenStatus = 'active' | 'expired' | 'revoked';

/** The public keys of the service. The private keys are files. */
export const SIGNING_KEYS = columnMap({
  kid: column.text('kid'),
  /** The Ed25519 public key, base64url (RFC 8037 2). */
  x: column.text('x'),
  createdAt: column.integer('created_at'),
  /** When it stopped signing. Null while it signs. */
  retiredAt: column.integer('retired_at').orNull(),
  /** When the operator declared it stolen. Its tokens are not valid then. */
  revokedAt: column.integer('revoked_at').orNull(),
});
export type RecordedKey = RecordOf<typeof SIGNING_KEYS>;
