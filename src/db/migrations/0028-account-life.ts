import type { Migration } from '../migration-sql.ts';

/** Deletion of accounts, release of addresses, and how far the audit log was exported. */
export const migration: Migration = {
  id: '0028-account-life',
  statements: [
    // closed_at: when it became too late to cancel. audit_seq: how far the content of the audit chain is gone.
    `create table account_deletions (
      account_id text primary key references accounts (id),
      asked_at integer not null,
      asked_by text not null,
      deletes_at integer not null,
      closed_at integer,
      audit_seq integer not null) clustered`,

    // A keyed hash of each address whose account is deleted. Nobody else ever gets it.
    'create table address_hashes (hash text primary key, kept_at integer not null) clustered',
    // When the account released it, and when its mail was deleted and its slot became free. The row stays, so that no
    // other account can claim the address.
    'alter table addresses add column released_at integer',
    'alter table addresses add column freed_at integer',

    // Who may sign up, as the administrator last decided while the service ran. Without a row, as `SIGNUP` says.
    'create table sign_up (id integer primary key, mode text not null)',
    'alter table audit_chains add column exported_seq integer not null default 0',
    'create index finding_outcomes_by_program on finding_outcomes (program_id)',
  ],
};
