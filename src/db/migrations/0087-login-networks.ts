import type { Migration } from '../migration-sql.ts';

/** The networks in which an address logged in, newest first: `[[<hash>, <when>], …]`. Both are keyed hashes. */
export const migration: Migration = {
  id: '0087-login-networks',
  statements: [
    `create table login_networks (
      address_hash text primary key,
      networks text not null,
      expires_at integer not null) clustered`,
    'create index login_networks_by_expiry on login_networks (expires_at)',
  ],
};
