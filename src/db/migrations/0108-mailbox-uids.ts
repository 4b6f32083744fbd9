import type { Migration } from '../migration-sql.ts';

/**
 * The numbers by which mail programs know what is in the folders of an address (RFC 9051 2.3.1.1, RFC 7162). A folder has
 * a row from the first time that a program opens it.
 */
export const migration: Migration = {
  id: '0108-mailbox-uids',
  statements: [
    `create table mailbox_folders (
      address text not null,
      folder text not null,
      uid_validity integer not null,
      uid_next integer not null,
      modseq integer not null,
      vanished_from integer not null,
      numbered integer not null,
      primary key (address, folder)) clustered`,
    `create table mailbox_uids (
      address text not null,
      folder text not null,
      uid integer not null,
      item_id text not null,
      modseq integer not null,
      flags text not null,
      primary key (address, folder, uid)) clustered`,
    'create index mailbox_uids_by_item on mailbox_uids (item_id)',
    'create index mailbox_uids_by_modseq on mailbox_uids (address, folder, modseq)',
    `create table mailbox_vanished (
      address text not null,
      folder text not null,
      modseq integer not null,
      uid integer not null,
      removed_at integer not null,
      primary key (address, folder, modseq, uid)) clustered`,
    'create index mailbox_vanished_by_age on mailbox_vanished (removed_at)',
    {
      sqlite: 'select 1',
      // Waits for transactions that change what is in folders, and lets none begin.
      postgres: `create function hold_mailbox_folders() returns integer language plpgsql as $$
        begin
          lock table mailbox_folders in share row exclusive mode;
          return 1;
        end $$`,
    },
  ],
};
