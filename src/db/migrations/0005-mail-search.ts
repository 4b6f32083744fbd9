import type { Migration } from '../migration-sql.ts';

/** Labels, full-text search, and what a list of conversations shows without looking into each. */
export const migration: Migration = {
  id: '0005-mail-search',
  statements: [
    `alter table messages add column labels text not null default '[]'`,
    // The position of a message in the index. Null until it is indexed; a sealed message is never indexed.
    'alter table messages add column search_doc integer',
    'create index messages_by_search_doc on messages (search_doc) where search_doc is not null',
    `create index messages_unindexed on messages (id)
      where search_doc is null and visible = 1 and encryption is null`,
    'create table message_labels (address text not null, label text not null, message_id text not null, primary key (address, label, message_id)) clustered',

    // The words alone, without the text; every word carries a mark of its address (features/mail/mailboxes/search/search-words.ts).
    {
      sqlite: `create virtual table message_words using fts5 (
        sender, recipients, subject, body, content = '', contentless_delete = 1, tokenize = 'ascii')`,
      postgres: `create table message_words (message_id text primary key, words tsvector not null);
        create index message_words_by_word on message_words using gin (words) with (gin_pending_list_limit = 512);
        -- The planner thinks little of reading every row, because it does not count what unpacking each tsvector costs.
        create function message_words_found(query tsquery) returns setof text language sql stable rows 100
          set enable_seqscan = off as 'select message_id from message_words where words @@ query'`,
    },

    'alter table threads add column received integer not null default 0',
    'alter table threads add column archived integer not null default 0',
    'alter table threads add column is_archived integer not null default 0',
    `alter table threads add column snippet text not null default ''`,
    `alter table threads add column participants text not null default '[]'`,
    // How many messages carry each label, as a JSON object.
    `alter table threads add column labels text not null default '{}'`,
    // Their messages have been deleted.
    'delete from threads where messages = 0 and not exists (select 1 from messages where thread_id = threads.id) and not exists (select 1 from outbox where thread_id = threads.id)',
    `update threads set
      received = (select count(*) from messages where thread_id = threads.id and visible = 1),
      archived = (select count(*) from messages where thread_id = threads.id and visible = 1 and is_archived = 1),
      snippet = coalesce((select snippet from messages where thread_id = threads.id and visible = 1 order by id desc limit 1), '')`,
    'update threads set is_archived = 1 where archived > 0 and archived = received',
    {
      sqlite: `update threads set participants =
        (select json_group_array(distinct from_address) from messages where thread_id = threads.id and visible = 1)`,
      postgres: `update threads set participants = coalesce(
        (select json_agg(distinct from_address)::text from messages where thread_id = threads.id and visible = 1), '[]')`,
    },
    'drop index threads_by_address',
    'create index threads_by_address on threads (address, is_archived, last_message_at, id)',

    // What the sender said, without what it quotes; null when the sender's own mail is sealed.
    'alter table outbox add column excerpt text',
    'create index outbox_by_thread on outbox (thread_id, id) where thread_id is not null',
  ],
};
