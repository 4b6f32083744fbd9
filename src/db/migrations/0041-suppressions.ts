import type { Migration } from '../migration-sql.ts';

/** Recipients that get no more mail, and how much of an account's mail came back. */
export const migration: Migration = {
  id: '0041-suppressions',
  statements: [
    `create table suppressions (
      account_id text not null references accounts (id),
      address text not null bytewise,
      reason text not null,
      created_at integer not null,
      primary key (account_id, address)) clustered`,
    // Copies of mail, each to one recipient, by the UTC day of their outcome.
    `create table sending_days (
      account_id text not null references accounts (id),
      day integer not null,
      sent integer not null,
      bad integer not null,
      primary key (account_id, day)) clustered`,
    'create index sending_days_by_day on sending_days (day)',
  ],
};
