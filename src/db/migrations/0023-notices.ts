import type { Migration } from '../migration-sql.ts';

/** Removals of old factors that were announced, and who undid them. */
export const migration: Migration = {
  id: '0023-notices',
  statements: [
    `create table notices (
      id text primary key,
      account_id text not null references accounts (id),
      what text not null,
      target text not null,
      asked_at integer not null,
      ends_at integer not null,
      asked_by text not null)`,
    'create index notices_by_account on notices (account_id, id)',
    'create unique index notices_by_target on notices (account_id, what, target)',

    // How often a factor undid the removal of another. After the second time the administrator decides.
    `create table notice_undos (
      account_id text not null references accounts (id),
      what text not null,
      target text not null,
      undone_by text not null,
      undone integer not null,
      primary key (account_id, what, target, undone_by)) clustered`,

    // Made in the account's first hour, or by a session of an old address: it counts as old from the start.
    ...['api_keys', 'e2e_keys', 'agent_keys'].flatMap((table) => [
      `alter table ${table} add column born_old integer not null default 0`,
      `update ${table} set born_old = 1 where created_at <
        (select created_at + 3600000 from accounts where accounts.id = ${table}.account_id)`,
    ]),

    // An old recovery address stands beside the new one until its notice ends: of both, one is the former.
    `create table vault_recoveries_2 (
      account_id text not null references accounts (id),
      is_former integer not null,
      email text not null,
      encrypted_seed text not null,
      stored_at integer not null,
      born_old integer not null,
      primary key (account_id, is_former))`,
    `insert into vault_recoveries_2 select v.account_id, 0, v.email, v.encrypted_seed, v.stored_at,
      case when v.stored_at < a.created_at + 3600000 then 1 else 0 end
      from vault_recoveries v join accounts a on a.id = v.account_id`,
    'drop table vault_recoveries',
    'alter table vault_recoveries_2 rename to vault_recoveries',
    'create index vault_recoveries_by_email on vault_recoveries (email, account_id, is_former)',

    // `secure` ends the tickets of one account.
    'create index socket_tickets_by_account on socket_tickets (account_id)',
  ],
};
