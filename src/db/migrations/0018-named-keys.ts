import type { Migration } from '../migration-sql.ts';

/** Keys with a name, scopes and an end. */
export const migration: Migration = {
  id: '0018-named-keys',
  statements: [
    `create table named_keys (
      id text primary key,
      account_id text not null references accounts (id),
      prefix text not null,
      name text not null,
      scopes text not null,
      created_at integer not null,
      expires_at integer,
      last_used_at integer)`,
    'create index named_keys_by_account on named_keys (account_id, id)',
    'create index named_keys_by_expiry on named_keys (expires_at)',
    // The texts under which a key works: its current one and, for a while after a rotation, the one before.
    `create table named_key_secrets (
      hash text primary key,
      key_id text not null,
      prefix text not null,
      valid_until integer) clustered`,
    'create index named_key_secrets_by_key on named_key_secrets (key_id)',
    'create index named_key_secrets_by_end on named_key_secrets (valid_until)',
  ],
};
