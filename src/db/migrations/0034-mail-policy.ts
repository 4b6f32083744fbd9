import type { Migration } from '../migration-sql.ts';

/** Whom an account may write to and hear from, and whom an operator has let it write to. */
export const migration: Migration = {
  id: '0034-mail-policy',
  statements: [
    `create table mail_policies (
      account_id text not null references accounts (id),
      address text not null,
      inbound text not null,
      outbound text not null,
      updated_at integer not null,
      primary key (account_id, address)) clustered`,
    `create table mail_contacts (
      account_id text not null references accounts (id),
      recipient text not null,
      known_at integer not null,
      primary key (account_id, recipient)) clustered`,
  ],
};
