import type { Migration } from '../migration-sql.ts';

/** For which accounts an operator session acts, and which operators suspend an account. */
export const migration: Migration = {
  id: '0024-operator-sessions',
  statements: [
    'alter table accounts add column suspended_by text',
    `create table session_accounts (
      account_id text not null references accounts (id),
      session_hash text not null,
      selected_at integer not null,
      ended_at integer,
      expires_at integer not null,
      primary key (account_id, session_hash)) clustered`,
    'create index session_accounts_by_session on session_accounts (session_hash)',
    'create index session_accounts_by_expiry on session_accounts (expires_at)',
    // Anybody can name an address many times, so the lists of what it confirmed, and of what waits, have their own index.
    `create index people_operators on people (address, id) where role = 'operator' and confirmed_at is not null`,
    'create index people_waiting on people (address, id) where confirmed_at is null',
  ],
};
