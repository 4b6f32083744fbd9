import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { IssuedToken, TokenStatus } from './token-table.ts';

export const TokenState = oneOf(['active', 'expired', 'revoked']);

/** What everyone may know of a token whose id they know. */
export const TokenRecord = named(
  'TokenRecord',
  record({
    jti: Type.String(),
    status: TokenState,
    audience: Type.String(),
    scopes: Type.Array(Type.String()),
    issued_at: timestamp(),
    expires_at: timestamp(),
    revoked_at: nullable(timestamp()),
  }),
);

export const tokenRecord = ({ issued, status }: { issued: IssuedToken; status: TokenStatus }) => ({
  jti: issued.jti,
  status,
  audience: issued.audience,
  scopes: issued.scopes,
  issued_at: iso(issued.issuedAt),
  expires_at: iso(issued.expiresAt),
  revoked_at: isoOrNull(issued.revokedAt),
});
