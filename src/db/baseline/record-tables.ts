import type { Migration } from '../migration-sql.ts';

/** The event log and the audit log. */
export const RECORD_TABLES: Migration['statements'] = [
  `create table audit_chains (
    account_id text primary key,
    last_seq integer not null,
    last_hash text not null,
    exported_seq integer not null default 0) clustered`,
  `create table audit_entries (
    account_id text not null,
    seq integer not null,
    entry text not null,
    action text not null,
    created_at integer not null,
    prev_hash text not null,
    hash text not null,
    primary key (account_id, seq))`,
  // Whether the account has a webhook, so that appending an event of any other account looks for none.
  `create table event_heads (
    account_id text primary key,
    last_seq integer not null,
    watched integer not null default 0) clustered`,
  // The address that an event is about; null for other events, and for those from before.
  `create table events (
    account_id text not null,
    seq integer not null,
    type text not null,
    data text not null,
    created_at integer not null,
    address text,
    primary key (account_id, seq))`,
  'create index events_by_age on events (created_at)',
  'create index events_by_type on events (account_id, type, seq)',
  'create index events_by_address on events (account_id, address, type, seq) where address is not null',
  `create table socket_tickets (
    hash text primary key,
    account_id text not null references accounts (id),
    expires_at integer not null,
    credential text not null default 'api_key',
    credential_hash text not null default '')`,
  'create index socket_tickets_by_expiry on socket_tickets (expires_at)',
  // `secure` ends the tickets of one account.
  'create index socket_tickets_by_account on socket_tickets (account_id)',
  `create table audit_seals (
    account_id text not null,
    seq integer not null,
    hash text not null,
    kid text not null,
    signature text not null,
    sealed_at integer not null,
    primary key (account_id, seq))`,
];
