import type { Migration } from '../migration-sql.ts';

/** A webhook may watch the whole account: it has no address then. */
export const migration: Migration = {
  id: '0040-webhooks-of-accounts',
  statements: [
    `create table webhooks_2 (
      id text primary key,
      account_id text not null references accounts (id),
      address text references addresses (address),
      url text not null,
      secret text,
      events text not null,
      status text not null,
      disabled_reason text,
      failing_since integer,
      created_at integer not null,
      previous_secret text,
      previous_until integer,
      changed_at integer not null)`,
    `insert into webhooks_2 select id, account_id, address, url, secret, events, status, disabled_reason, failing_since,
      created_at, previous_secret, previous_until, created_at from webhooks`,
    'drop table webhooks',
    'alter table webhooks_2 rename to webhooks',
    'create index webhooks_by_account on webhooks (account_id, id)',
    // Without it, deleting an address reads the whole table for rows that refer to it.
    'create index webhooks_by_address on webhooks (address) where address is not null',
    'create index webhooks_by_previous on webhooks (previous_until) where previous_until is not null',

    // Whether the account has a webhook, so that appending an event of any other account looks for none.
    'alter table event_heads add column watched integer not null default 0',
    `insert into event_heads (account_id, last_seq, watched)
      select distinct account_id, 0, 1 from webhooks
      where account_id not in (select account_id from event_heads)`,
    'update event_heads set watched = 1 where account_id in (select account_id from webhooks)',
  ],
};
