import type { Migration } from '../migration-sql.ts';

/** Requests for a credential, by the pattern of RFC 8628, and the mailed links that prove an operator. */
export const migration: Migration = {
  id: '0016-credentials',
  statements: [
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

    `create table credential_links (
      hash text primary key,
      request_id text not null,
      operator_id text not null,
      email text not null,
      expires_at integer not null) clustered`,
    'create index credential_links_by_expiry on credential_links (expires_at)',
  ],
};
