import type { Migration } from '../migration-sql.ts';

/** Folders, the trash, and how long an address keeps mail. */
export const migration: Migration = {
  id: '0038-folders',
  statements: [
    `alter table messages add column folder text not null default 'inbox'`,
    'alter table messages add column trashed_at integer',
    'create index messages_by_folder on messages (address, folder, is_archived, id)',
    'drop index messages_inbox',
    'alter table addresses add column retention_days integer',
    // Names the job that carries it out: one of an earlier setting does nothing.
    'alter table addresses add column retention_since integer',
  ],
};
