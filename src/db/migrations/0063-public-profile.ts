import type { Migration } from '../migration-sql.ts';

/** What an agent says of itself on its profile, and whether others find the profile by the agent's address. */
export const migration: Migration = {
  id: '0063-public-profile',
  statements: [
    'alter table accounts add column description text',
    'alter table accounts add column unlisted integer not null default 0',
  ],
};
