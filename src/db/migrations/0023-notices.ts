import type { Migration } from '../migration-sql.ts';

/** Removals of old factors that were announced, and who undid them. */
export const migration: Migration = {
  id: '0023-notices',
  statements: [
    `create table notices (
      id text primary key,
      account_id text not null references accounts (id),
      what text not null,
      target text not null,
      asked_at integer not null,
      ends_at integer not null,
      asked_by text not null)`,
    'create unique index notices_by_target on notices (account_id, what, target)',

    // How often a factor undid the removal of another. After the second time the administrator decides.
    `create table notice_undos (
      account_id text not null references accounts (id),
      what text not null,
      target text not null,
      undone_by text not null,
      undone integer not null,
      primary key (account_id, what, target, undone_by)) clustered`,
  ],
};
