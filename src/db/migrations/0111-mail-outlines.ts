import type { Migration } from '../migration-sql.ts';

/** What mail programs are told of a mail without its bytes. Made when one lists it, and deleted with its content. */
export const migration: Migration = {
  id: '0111-mail-outlines',
  statements: [
    `create table mail_outlines (
      content_id text primary key references mail_contents (id) on delete cascade,
      version integer not null,
      outline text not null,
      header blob,
      size_bytes integer not null,
      has_codes integer not null) clustered`,
  ],
};
