import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What is stored of an issued token. The token itself is not stored. */
export const TOKENS = table(
  'agent_tokens',
  {
    jti: exported.text('jti'),
    accountId: exported.text('account_id'),
    /** The key that signed it. */
    kid: exported.text('kid'),
    audience: exported.text('audience'),
    scopes: exported.json<string[]>()('scopes'),
    /** Milliseconds, a whole number of seconds. */
    issuedAt: exported.integer('issued_at'),
    expiresAt: exported.integer('expires_at'),
    revokedAt: exported.integer('revoked_at').orNull(),
  },
  { key: ['jti'], account: ['accountId'], erase: 'delete', page: ['jti'] },
);
export type IssuedToken = RecordOf<typeof TOKENS>;

export type TokenStatus = 'active' | 'expired' | 'revoked';

/** The public keys of the service. The private keys are files. */
export const SIGNING_KEYS = table(
  'signing_keys',
  {
    kid: column.text('kid'),
    /** The Ed25519 public key, base64url (RFC 8037 2). */
    x: column.text('x'),
    createdAt: column.integer('created_at'),
    /** When it stopped signing. Null while it signs. */
    retiredAt: column.integer('retired_at').orNull(),
    /** When the operator declared it stolen. Its tokens are not valid then. */
    revokedAt: column.integer('revoked_at').orNull(),
  },
  { key: ['kid'], account: [], erase: { keep: 'belongs to no account' } },
);
export type RecordedKey = RecordOf<typeof SIGNING_KEYS>;
