import type { Migration } from '../migration-sql.ts';

/** Clients that registered, what people let them do, and the codes and tokens that they got. */
export const migration: Migration = {
  id: '0044-grants',
  statements: [
    // A client whose id is the URL of its metadata has no row.
    `create table oauth_clients (
      id text primary key,
      name text,
      redirect_uris text not null,
      created_at integer not null,
      expires_at integer)`,
    'create index oauth_clients_by_expiry on oauth_clients (expires_at) where expires_at is not null',
    `create table grants (
      id text primary key,
      account_id text not null references accounts (id),
      client_id text not null,
      client_name text not null,
      scopes text not null,
      allowed_by text not null,
      created_at integer not null,
      last_used_at integer,
      expires_at integer not null)`,
    'create index grants_by_account on grants (account_id, id)',
    'create index grants_by_expiry on grants (expires_at)',
    // `used_at`: a code or refresh token that was used stays, so that its second use is noticed.
    `create table grant_tokens (
      hash text primary key,
      prefix text not null,
      grant_id text not null,
      account_id text not null,
      kind text not null,
      scopes text not null,
      redirect_uri text,
      challenge text,
      used_at integer,
      created_at integer not null,
      expires_at integer not null) clustered`,
    'create index grant_tokens_by_grant on grant_tokens (grant_id)',
    'create index grant_tokens_by_account on grant_tokens (account_id)',
    'create index grant_tokens_by_expiry on grant_tokens (expires_at)',
  ],
};
