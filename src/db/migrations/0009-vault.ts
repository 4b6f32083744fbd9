import type { Migration } from '../migration-sql.ts';

/** The vault, and the ways back into it. */
export const migration: Migration = {
  id: '0009-vault',
  statements: [
    // How many keys an account has, counted in the transaction that changes it, and how many a payment made room for.
    'create table vault_accounts (account_id text primary key, keys integer not null, bought integer not null) clustered',

    // What lists show, and nothing large. latest_version: the newest that is there; last_version: the highest ever given.
    `create table vault_entries (
      account_id text not null references accounts (id),
      key text not null,
      latest_version integer not null,
      last_version integer not null,
      versions integer not null,
      metadata text,
      created_at integer not null,
      updated_at integer not null,
      primary key (account_id, key)) clustered`,

    // Not clustered: the values of all accounts go to the last page, and their index stays small.
    `create table vault_versions (
      account_id text not null,
      key text not null,
      version integer not null,
      ciphertext text not null,
      metadata text,
      created_at integer not null,
      primary key (account_id, key, version))`,

    `create table vault_recoveries (
      account_id text primary key references accounts (id),
      email text not null,
      encrypted_seed text not null,
      stored_at integer not null)`,
    'create index vault_recoveries_by_email on vault_recoveries (email, account_id)',

    // Seeds that were left without an account.
    `create table vault_seeds (
      id text primary key,
      email text not null,
      encrypted_seed text not null,
      created_at integer not null)`,
    'create index vault_seeds_by_email on vault_seeds (email, id)',

    // after_account and after_key: where the page that this link opens begins; null for the mailed link.
    `create table vault_recovery_links (
      hash text primary key,
      email text not null,
      after_account text,
      after_key text,
      expires_at integer not null,
      used_at integer)`,
    'create index vault_recovery_links_by_expiry on vault_recovery_links (expires_at)',
  ],
};
