import type { Migration } from '../migration-sql.ts';

/** The addresses of people: who may log in to an account, and who may decide for it once the address is confirmed. */
export const migration: Migration = {
  id: '0022-people',
  statements: [
    `create table people (
      id text primary key,
      account_id text not null references accounts (id),
      role text not null,
      address text not null,
      named_at integer not null,
      named_by text not null,
      old_when_confirmed integer not null,
      confirmed_at integer,
      removal_due_at integer)`,
    'create unique index people_by_account on people (account_id, role, address)',
    'create index people_by_address on people (address, account_id)',
  ],
};
