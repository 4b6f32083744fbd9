import type { Migration } from '../migration-sql.ts';

/**
 * When a mail failed, and when an agent learned of the answer to a credential request: until then it waits. Who decided an
 * approval, and whom an observation is about.
 */
export const migration: Migration = {
  id: '0098-waiting',
  statements: [
    'alter table outbox add column failed_at integer',
    'create index outbox_failed on outbox (account_id, failed_at, id) where failed_at is not null',
    'alter table credential_requests add column told_at integer',
    `create index credential_requests_untold on credential_requests (account_id, resolved_at, id)
      where status in ('approved', 'denied') and told_at is null`,
    'alter table approvals add column decided_by text',
    'alter table observations add column subject_id text',
    'create index observations_by_subject on observations (subject_id, id) where subject_id is not null',
  ],
};
