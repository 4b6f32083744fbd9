import type { Migration } from '../migration-sql.ts';

/** What a person would see of a mail, what speaks against it, and from whom an account had mail before. */
export const migration: Migration = {
  id: '0032-safety',
  statements: [
    'alter table mail_contents add column visible_text text',
    'alter table messages add column safety_verdict text',
    'alter table messages add column safety_signals text',
    // Findings of the step before have no signals. They are computed again when the mail is read.
    'update mail_contents set findings = null where findings is not null',
    `create table mail_senders (
      account_id text not null references accounts (id),
      sender text not null,
      first_at integer not null,
      primary key (account_id, sender)) clustered`,
    `insert into mail_senders (account_id, sender, first_at)
      select account_id, lower(from_address), min(received_at) from messages
      where visible = 1 and encryption is null group by account_id, lower(from_address)`,
  ],
};
