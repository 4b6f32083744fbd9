import type { Migration } from '../migration-sql.ts';

/** How often news of agents is mailed to a person, the news that waits for the next mail, and what people decided. */
export const migration: Migration = {
  id: '0106-bundled-news',
  statements: [
    `alter table operator_settings add column mails text not null default 'now'`,
    `create table bundled_news (
      id text primary key,
      email text not null,
      account_id text not null,
      subject text not null,
      content text not null,
      created_at integer not null,
      due_at integer not null,
      bundle text)`,
    'create index bundled_news_by_email on bundled_news (email, bundle, id)',
    `create index audit_decisions on audit_entries (account_id, seq) where action in (
      'account.deletion_cancelled', 'account.notice_undone', 'account.resumed', 'account.suspended',
      'approval.approved', 'approval.decided', 'approval.expired', 'approval.rejected', 'credential.resolved',
      'person.confirmed', 'quarantine.deleted', 'quarantine.released',
      'review.approved', 'review.decided', 'review.expired', 'review.rejected')
      and entry like '%"result":"success","seq":%'`,
    'create index bundled_news_by_account on bundled_news (account_id)',
  ],
};
