import type { Migration } from '../migration-sql.ts';

/** Large mails and attachments are kept in pieces, written one by one before the mail that refers to them. */
export const migration: Migration = {
  id: '0083-mail-blobs',
  statements: [
    `create table mail_blobs (
      id text primary key,
      pieces integer not null,
      purge_at integer)`,
    'create index mail_blobs_by_purge on mail_blobs (purge_at)',
    `create table mail_blob_pieces (
      blob_id text not null,
      n integer not null,
      bytes blob not null,
      primary key (blob_id, n))`,
    'alter table mail_contents add column raw_blob text',
    'alter table attachments add column content_blob text',
  ],
};
