import type { Migration } from '../migration-sql.ts';

/** Sent mail whose recipients on other services can unsubscribe with one click (RFC 8058). */
export const migration: Migration = {
  id: '0054-unsubscribe',
  statements: ['alter table outbox add column unsubscribe integer not null default 0'],
};
