import type { Migration } from '../migration-sql.ts';

/** When a platform last gave somebody access to its pod: a new key, or an address that logs in. Null: not since it was made. */
export const migration: Migration = {
  id: '0073-access-to-pods',
  statements: ['alter table pods add column access_given_at integer'],
};
