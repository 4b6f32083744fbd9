import type { Migration } from '../migration-sql.ts';

/** Passkeys and recovery codes of people, by address, and how each session was opened. */
export const migration: Migration = {
  id: '0025-passkeys',
  statements: [
    // Until now every session was opened by a mailed link.
    `alter table sessions add column method text not null default 'link'`,
    'create index sessions_by_address on sessions (email)',
    `create table passkeys (
      id text primary key,
      address text not null,
      credential_id text not null,
      public_key blob not null,
      counter integer not null,
      transports text not null,
      name text not null,
      session_hash text not null,
      created_at integer not null,
      active_at integer not null,
      last_used_at integer)`,
    'create unique index passkeys_by_credential on passkeys (credential_id)',
    'create index passkeys_by_address on passkeys (address, id)',
    `create table passkey_challenges (
      hash text primary key,
      bound_to text not null,
      expires_at integer not null) clustered`,
    'create index passkey_challenges_by_expiry on passkey_challenges (expires_at)',
    `create table recovery_codes (
      hash text primary key,
      address text not null) clustered`,
    'create index recovery_codes_by_address on recovery_codes (address)',
    `create table operator_settings (
      address text primary key,
      require_passkey integer not null) clustered`,
  ],
};
