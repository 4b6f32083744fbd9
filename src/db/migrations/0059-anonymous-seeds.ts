import type { Migration } from '../migration-sql.ts';

/** How many bytes the anonymous entries of vaults take together. */
export const migration: Migration = {
  id: '0059-anonymous-seeds',
  statements: [
    'create table vault_seed_bytes (id integer primary key, used integer not null)',
    'insert into vault_seed_bytes (id, used) select 1, coalesce(sum(octet_length(encrypted_seed)), 0) from vault_seeds',
  ],
};
