import type { Migration } from '../migration-sql.ts';

/** The networks from which a mail program logged in: others' failures never close the door to these. */
export const migration: Migration = {
  id: '0112-mail-program-networks',
  statements: [
    `create table mail_program_networks (
      network text not null,
      expires_at integer not null,
      primary key (network)) clustered`,
    'create index mail_program_networks_by_end on mail_program_networks (expires_at)',
  ],
};
