import type { Migration } from '../migration-sql.ts';

/** Ids of the people who act for accounts, for audit entries. */
export const migration: Migration = {
  id: '0094-audit-people',
  statements: [
    `create table audit_people (
      account_id text not null,
      address text not null,
      id text not null,
      primary key (account_id, address)) clustered`,
  ],
};
