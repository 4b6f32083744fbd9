import type { Migration } from '../migration-sql.ts';

/** The tenants of a platform, and domains of an account's own. */
export const migration: Migration = {
  id: '0011-pods-stacks',
  statements: [
    // What a platform set for its pod. The rest of a pod is its account: name, status, scopes.
    `create table pods (
      pod_id text primary key,
      account_id text not null unique references accounts (id),
      parent_account_id text not null references accounts (id),
      per_minute integer,
      per_hour integer,
      per_day integer,
      created_at integer not null,
      updated_at integer not null)`,
    'create index pods_by_parent on pods (parent_account_id, pod_id)',
    // Pods that are not suspended by their platform.
    'create table pod_counts (account_id text primary key, used integer not null) clustered',

    `create table stacks (
      id text primary key,
      account_id text not null references accounts (id),
      domain text not null,
      status text not null,
      token text not null,
      dkim_selector text not null,
      dkim_private_key text not null,
      dkim_public_key text not null,
      findings text,
      nameservers text not null,
      checked_at integer,
      verified_at integer,
      created_at integer not null)`,
    'create unique index stacks_by_account on stacks (account_id, domain)',
    'create index stacks_listed on stacks (account_id, id)',
    // A verified domain belongs to one account. An unverified stack does not block other accounts.
    `create table verified_domains (
      domain text primary key,
      account_id text not null,
      stack_id text not null,
      token text not null) clustered`,
    'create table stack_counts (account_id text primary key, used integer not null) clustered',
  ],
};
