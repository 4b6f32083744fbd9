import type { Migration } from '../migration-sql.ts';

/** Signatures over the heads of audit chains: one holds for every entry before it. */
export const migration: Migration = {
  id: '0015-audit-seals',
  statements: [
    `create table audit_seals (
      account_id text not null,
      seq integer not null,
      hash text not null,
      kid text not null,
      signature text not null,
      sealed_at integer not null,
      primary key (account_id, seq))`,
  ],
};
