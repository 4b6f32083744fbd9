import type { Migration } from '../migration-sql.ts';

/** Tickets that open a WebSocket from a browser. */
export const migration: Migration = {
  id: '0002-push',
  statements: [
    `create table socket_tickets (
      hash text primary key,
      account_id text not null references accounts (id),
      expires_at integer not null)`,
    'create index socket_tickets_by_expiry on socket_tickets (expires_at)',
  ],
};
