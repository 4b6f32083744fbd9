import type { Migration } from '../migration-sql.ts';

/** Two more flags of a message: those of IMAP that are no keywords (RFC 9051 2.3.2). */
export const migration: Migration = {
  id: '0103-starred-and-answered',
  statements: [
    'alter table messages add column is_starred integer not null default 0',
    'alter table messages add column is_answered integer not null default 0',
  ],
};
