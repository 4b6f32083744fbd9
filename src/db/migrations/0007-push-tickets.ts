import type { Migration } from '../migration-sql.ts';

/**
 * A ticket knows the credential that asked for it, so that its socket ends with that credential. Tickets live for a
 * minute: those of the version before name none, and open nothing. And the events of one kind are found by an index.
 */
export const migration: Migration = {
  id: '0007-push-tickets',
  statements: [
    `alter table socket_tickets add column credential text not null default 'api_key'`,
    `alter table socket_tickets add column credential_hash text not null default ''`,
    'create index events_by_type on events (account_id, type, seq)',
  ],
};
