import type { Migration } from '../migration-sql.ts';

/**
 * Mail that the policy keeps from the agent: its message has `visible = 2`, which no list, search or look-up shows. And
 * when an account last read mail that is not clean.
 */
export const migration: Migration = {
  id: '0036-quarantine',
  statements: [
    `create table quarantined_messages (
      message_id text primary key,
      account_id text not null references accounts (id),
      address text not null,
      content_id text not null,
      from_address text not null,
      reason text not null,
      received_at integer not null)`,
    'create index quarantined_messages_by_account on quarantined_messages (account_id, message_id)',
    `create table suspicious_reads (
      account_id text not null references accounts (id) primary key,
      read_at integer not null) clustered`,
  ],
};
