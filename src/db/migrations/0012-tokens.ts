import type { Migration } from '../migration-sql.ts';

/** The service's signing keys, the tokens they signed, and the keys that agents sign with themselves. */
export const migration: Migration = {
  id: '0012-tokens',
  statements: [
    // Public halves alone: every instance signs with a key of its own folder, and all verify with all of them.
    `create table signing_keys (
      kid text primary key,
      x text not null,
      created_at integer not null,
      retired_at integer)`,
    'create index signing_keys_by_age on signing_keys (created_at)',
    'create index signing_keys_live on signing_keys (retired_at)',

    `create table agent_tokens (
      jti text primary key,
      account_id text not null references accounts (id),
      kid text not null,
      audience text not null,
      scopes text not null,
      issued_at integer not null,
      expires_at integer not null,
      revoked_at integer)`,
    'create index agent_tokens_by_kid on agent_tokens (kid, expires_at)',

    `create table agent_keys (
      kid text not null,
      account_id text not null references accounts (id),
      x text not null,
      label text,
      created_at integer not null,
      primary key (account_id, kid)) clustered`,
    'create table agent_key_counts (account_id text primary key, used integer not null) clustered',
  ],
};
