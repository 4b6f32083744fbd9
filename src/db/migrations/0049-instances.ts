import type { Migration } from '../migration-sql.ts';

/** The running instances, and which of them holds a lease: the leases of one that died need not expire. */
export const migration: Migration = {
  id: '0049-instances',
  statements: [
    'create table instances (id text primary key, seen_at integer not null)',
    'alter table jobs add column leased_by text',
    'create index jobs_leased on jobs (leased_by) where leased_by is not null',
    'alter table mail_contents add column parse_leased_by text',
  ],
};
