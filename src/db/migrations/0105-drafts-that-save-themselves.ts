import type { Migration } from '../migration-sql.ts';

/** Drafts that an editor saved by itself, and the attempts after which a sent mail is tried again. */
export const migration: Migration = {
  id: '0105-drafts-that-save-themselves',
  statements: [
    'alter table mail_drafts add column is_autosaved integer not null default 0',
    'create index mail_drafts_autosaved on mail_drafts (updated_at) where is_autosaved = 1',
    'alter table outbox add column deferrals text',
  ],
};
