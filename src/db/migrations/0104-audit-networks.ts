import type { Migration } from '../migration-sql.ts';

/** From which network an audit entry was made, until that is forgotten. It is not hashed. */
export const migration: Migration = {
  id: '0104-audit-networks',
  statements: [
    'alter table audit_entries add column network text',
    'create index audit_entries_networks on audit_entries (created_at) where network is not null',
  ],
};
