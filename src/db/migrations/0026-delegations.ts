import type { Migration } from '../migration-sql.ts';

/** Delegations from account to account, and the access tokens that delegates get for them. */
export const migration: Migration = {
  id: '0026-delegations',
  statements: [
    // `path` is the ids of all delegations from the first one to this one, separated by slashes.
    `create table delegations (
      id text primary key,
      account_id text not null references accounts (id),
      from_id text not null references accounts (id),
      to_id text not null references accounts (id),
      root_id text not null,
      path text not null,
      scopes text not null,
      addresses text,
      audience text,
      budget_usdc integer,
      spent_usdc integer not null,
      may_delegate integer not null,
      key_id text,
      created_at integer not null,
      expires_at integer not null,
      ended_at integer)`,
    'create index delegations_by_root on delegations (root_id, path)',
    'create index delegations_by_maker on delegations (from_id, expires_at)',
    // For the deletion of an account that holds one.
    'create index delegations_by_holder on delegations (to_id)',
    'create index delegations_by_account on delegations (account_id, id)',
    'create index delegations_by_key on delegations (key_id) where key_id is not null',
    'create index delegations_by_expiry on delegations (expires_at)',
    // Who may know of a delegation, so that each list is one range of an index.
    `create table delegation_parties (
      account_id text not null,
      delegation_id text not null,
      primary key (account_id, delegation_id)) clustered`,
    'create index delegation_parties_by_delegation on delegation_parties (delegation_id)',
    // `cnf` is for tokens that are bound to a key of their holder (RFC 9449 6). None is yet.
    `create table access_tokens (
      hash text primary key,
      prefix text not null,
      account_id text not null,
      actor_id text not null,
      path text not null,
      scopes text not null,
      key_id text,
      cnf text,
      created_at integer not null,
      expires_at integer not null) clustered`,
    'create index access_tokens_by_account on access_tokens (account_id)',
    'create index access_tokens_by_actor on access_tokens (actor_id)',
    'create index access_tokens_by_key on access_tokens (key_id) where key_id is not null',
    'create index access_tokens_by_expiry on access_tokens (expires_at)',
    // The delegation that a charge came by, so that granting it charges the delegation too.
    'alter table approvals add column delegation_path text',
  ],
};
