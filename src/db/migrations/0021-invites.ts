import type { Migration } from '../migration-sql.ts';

/** Invites to sign up. A row is deleted when its invite is used. */
export const migration: Migration = {
  id: '0021-invites',
  statements: [
    `create table invites (
      hash text primary key,
      id text not null,
      created_at integer not null,
      expires_at integer not null)`,
    'create index invites_by_expiry on invites (expires_at)',
  ],
};
