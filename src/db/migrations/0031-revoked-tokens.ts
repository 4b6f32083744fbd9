import type { Migration } from '../migration-sql.ts';

/** Finds the tokens that ended with a revoked signing key, to tell their owners. */
export const migration: Migration = {
  id: '0031-revoked-tokens',
  statements: [
    `create index agent_tokens_revoked_by_key on agent_tokens (kid, revoked_at, expires_at, jti)
      where revoked_at is not null`,
  ],
};
