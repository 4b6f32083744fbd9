import type { Migration } from '../migration-sql.ts';

/** Entries with their versions, seeds and requests for secrets. */
export const VAULT_TABLES: Migration['statements'] = [
  // How many keys an account has, counted in the transaction that changes it, and how many a payment made room for.
  `create table vault_accounts (
    account_id text primary key,
    keys integer not null,
    bought integer not null) clustered`,
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
  // `operator_id` is the account whose operator decides: the platform of a pod. `sealed_value` only ever holds what is
  // sealed to `public_key`; where that is not the agent's own, its private half follows from the device code.
  `create table credential_requests (
    id text primary key,
    account_id text not null references accounts (id),
    operator_id text not null references accounts (id),
    device_hash text not null,
    user_code_hash text not null,
    public_key text not null,
    own_key integer not null,
    description text not null,
    vault_key text,
    status text not null,
    wrong_codes integer not null,
    sealed_value text,
    created_at integer not null,
    viewed_at integer,
    expires_at integer not null,
    resolved_at integer,
    resolved_by text)`,
  'create unique index credential_requests_by_device on credential_requests (device_hash)',
  'create unique index credential_requests_by_code on credential_requests (user_code_hash)',
  'create index credential_requests_by_account on credential_requests (account_id, status, expires_at)',
  'create index credential_requests_by_operator on credential_requests (operator_id, status, expires_at)',
  'create index credential_requests_by_expiry on credential_requests (expires_at)',
  `create index credential_requests_open on credential_requests (operator_id, id) where status = 'pending'`,
  `create table credential_links (
    hash text primary key,
    request_id text not null,
    operator_id text not null,
    email text not null,
    expires_at integer not null) clustered`,
  'create index credential_links_by_expiry on credential_links (expires_at)',
  `create table vault_recoveries (
    account_id text not null references accounts (id),
    is_former integer not null,
    email text not null,
    encrypted_seed text not null,
    stored_at integer not null,
    born_old integer not null,
    primary key (account_id, is_former))`,
  'create index vault_recoveries_by_email on vault_recoveries (email, account_id, is_former)',
  'create table vault_seed_bytes (id integer primary key, used integer not null)',
  'insert into vault_seed_bytes (id, used) values (1, 0)',
];
