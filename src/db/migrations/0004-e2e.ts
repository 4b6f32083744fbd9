import type { Migration } from '../migration-sql.ts';

/** Key rotation for end-to-end encryption, and what became of single recipients of a mail on its way out. */
export const migration: Migration = {
  id: '0004-e2e',
  statements: [
    `create table e2e_accounts (
      account_id text primary key references accounts (id),
      seed_hash text not null,
      public_key text not null,
      updated_at integer not null)`,
    // Every key the account has had: messages name theirs by key_id, and stay as they were sealed.
    `create table e2e_keys (
      account_id text not null references accounts (id),
      public_key text not null,
      n integer not null,
      created_at integer not null,
      primary key (account_id, public_key)) clustered`,
    'create unique index e2e_keys_in_order on e2e_keys (account_id, n)',

    // Only while a mail that a relay took for some of its recipients waits for the others; gone when it ends.
    `create table outbox_recipients (
      outbox_id text not null references outbox (id) on delete cascade,
      recipient text not null,
      provider_id text,
      refusal text,
      primary key (outbox_id, recipient)) clustered`,
  ],
};
