import type { Migration } from '../migration-sql.ts';

/** The display name of an address, drafts, and mail that is sent later. */
export const migration: Migration = {
  id: '0037-drafts',
  statements: [
    'alter table addresses add column display_name text',
    `create table mail_drafts (
      id text primary key,
      account_id text not null references accounts (id),
      address text not null,
      content text not null,
      text_body text,
      html_body text,
      status text not null,
      is_sent integer not null,
      send_at integer,
      key_id text,
      error text,
      outbox_id text,
      version integer not null,
      created_at integer not null,
      updated_at integer not null)`,
    'create index mail_drafts_open on mail_drafts (account_id, id) where is_sent = 0',
    'create index mail_drafts_by_account on mail_drafts (account_id, id)',
    'create index mail_drafts_sent on mail_drafts (updated_at) where is_sent = 1',
    `create table draft_attachments (
      draft_id text not null,
      n integer not null,
      account_id text not null references accounts (id),
      filename text not null,
      content_type text not null,
      content blob not null,
      primary key (draft_id, n))`,
    'create index draft_attachments_by_account on draft_attachments (account_id, draft_id, n)',
    'create table draft_counts (account_id text primary key, used integer not null) clustered',
  ],
};
