import type { Migration } from '../migration-sql.ts';

/** Which day of a series an invitation to that day alone is about. Null: the invitation is to all of it. */
export const migration: Migration = {
  id: '0062-single-days',
  statements: ['alter table calendar_invitations add column recurrence_id integer'],
};
