import type { Migration } from '../migration-sql.ts';

const SENDERS = 'select address, id, lower(from_address) as person from messages where visible = 1';
/** The recipients in To and Cc, without the inbox itself. */
const RECIPIENTS = {
  sqlite: `select m.address, m.id, lower(r.value) as person
    from messages m, json_each('["to","cc"]') f, json_each(m.recipients, '$.' || f.value) r
    where m.visible = 1 and lower(r.value) <> m.address`,
  postgres: `select m.address, m.id, lower(r.value) as person
    from messages m, unnest(array['to','cc']) f(part), jsonb_array_elements_text(m.recipients::jsonb -> f.part) r(value)
    where m.visible = 1 and lower(r.value) <> m.address`,
};

/** A term for each address, and one for its domain. */
const termsOf = (kind: 'f' | 't', people: string, find: 'instr' | 'strpos'): string =>
  `insert into message_terms (owner, term, item)
    select address, '${kind}:' || substr(person, 1, 400), id from (${people}) p
    union
    select address, '${kind}:' || substr(person, ${find}(person, '@'), 400), id from (${people}) p
    where person like '%@%'`;

/**
 * What lists of messages are filtered by, one row for each term of a message, so that a rare sender costs the same in a
 * large inbox as in a small one. Labels are terms too. And what the owner of a message or of a sent mail notes about it.
 * The owner of `message_terms` is an address, that of `outbox_terms` an account.
 */
export const migration: Migration = {
  id: '0053-mail-terms',
  statements: [
    `create table message_terms (
      owner text not null,
      term text not null,
      item text not null,
      primary key (owner, term, item)) clustered`,
    `insert into message_terms (owner, term, item) select address, 'l:' || label, message_id from message_labels`,
    'drop table message_labels',
    { sqlite: termsOf('f', SENDERS, 'instr'), postgres: termsOf('f', SENDERS, 'strpos') },
    { sqlite: termsOf('t', RECIPIENTS.sqlite, 'instr'), postgres: termsOf('t', RECIPIENTS.postgres, 'strpos') },
    `insert into message_terms (owner, term, item)
      select address, 'a', id from messages where visible = 1 and attachments > 0`,
    'create index messages_by_read on messages (address, folder, is_archived, is_read, id)',
    'alter table messages add column metadata text',
    'alter table outbox add column metadata text',
    `create table outbox_terms (
      owner text not null,
      term text not null,
      item text not null,
      primary key (owner, term, item)) clustered`,
  ],
};
