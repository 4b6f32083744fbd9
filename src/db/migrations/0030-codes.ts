import type { Migration } from '../migration-sql.ts';

/** The codes and links of a mail. Null: sealed, or stored before this step, and then they are computed when read. */
export const migration: Migration = {
  id: '0030-codes',
  statements: ['alter table mail_contents add column findings text'],
};
