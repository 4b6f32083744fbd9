import type { Migration } from '../migration-sql.ts';

/** What settings were before they were changed, and an index of the audit entries that an owner looks through. */
export const migration: Migration = {
  id: '0086-former-settings',
  statements: [
    `create table setting_changes (
      account_id text not null references accounts (id),
      setting text not null,
      target text not null,
      changes text not null,
      changed_at integer not null,
      primary key (account_id, setting, target)) clustered`,
    'create index setting_changes_by_age on setting_changes (changed_at)',
    'alter table audit_entries add column changed_at integer',
    `update audit_entries set changed_at = created_at
      where entry like '%"result":"success"%' and (action like 'account.%' or action like 'address.%'
        or action like 'budget.%' or action like 'delegation.%' or action like 'e2e.%' or action like 'grant.%'
        or action like 'key.%' or action like 'mail_policy.%' or action like 'passkey.%' or action like 'person.%'
        or action like 'pod.%' or action like 'profile.%' or action like 'program.%' or action like 'signing_key.%'
        or action like 'stack.%' or action like 'webhook.%' or action in ('vault.recovery_set', 'vault.recovered',
        'login.session_opened', 'calendar.feed_rotated'))`,
    // It holds few of the entries, so that appending the others costs nothing.
    'create index audit_changes on audit_entries (account_id, changed_at, seq, action) where changed_at is not null',
  ],
};
