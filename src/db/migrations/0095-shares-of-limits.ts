import type { Migration } from '../migration-sql.ts';

/** What a named key may use of the requests of its account, sessions that a key opened, and who filled the anonymous seeds. */
export const migration: Migration = {
  id: '0095-shares-of-limits',
  statements: [
    'alter table named_keys add column requests_share integer',
    'alter table sessions add column key_hash text',
    `create table vault_seed_networks (
      network text primary key,
      used integer not null) clustered`,
  ],
};
