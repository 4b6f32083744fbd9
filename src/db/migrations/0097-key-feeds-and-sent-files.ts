import type { Migration } from '../migration-sql.ts';

/** What a kept mail takes, as an expression over `new` or `old`. Its row changes before its content goes. */
const size = (row: 'new' | 'old'): string =>
  `coalesce((select c.size_bytes from mail_contents c where c.id = ${row}.content_id), 0)`;

/**
 * The feed links of named keys: each belongs to one text of a key, and ends with it. And which sent mails are kept with
 * their attachments, which counts as storage.
 */
export const migration: Migration = {
  id: '0097-key-feeds-and-sent-files',
  statements: [
    `create table calendar_key_feeds (
      key_hash text primary key,
      account_id text not null,
      feed_hash text not null,
      feed_token text not null) clustered`,
    'create unique index calendar_key_feeds_by_token on calendar_key_feeds (feed_hash)',
    'create index calendar_key_feeds_by_account on calendar_key_feeds (account_id)',
    `create table sent_contents (
      account_id text not null,
      outbox_id text not null,
      content_id text not null,
      primary key (account_id, outbox_id)) clustered`,
    {
      sqlite: `
        create trigger sent_contents_stored after insert on sent_contents begin
          insert into account_storage (account_id, used, told) values (new.account_id, ${size('new')}, 0)
            on conflict (account_id) do update set used = account_storage.used + excluded.used; end;
        create trigger sent_contents_unstored after delete on sent_contents begin
          update account_storage set used = used - ${size('old')} where account_id = old.account_id; end;`,
      postgres: `
        create function sent_contents_storage() returns trigger language plpgsql as $$
        begin
          if tg_op = 'INSERT' then
            insert into account_storage (account_id, used, told) values (new.account_id, ${size('new')}, 0)
              on conflict (account_id) do update set used = account_storage.used + excluded.used;
          else
            update account_storage set used = used - ${size('old')} where account_id = old.account_id;
          end if;
          return null;
        end $$;
        create trigger sent_contents_stored after insert or delete on sent_contents
          for each row execute function sent_contents_storage();`,
    },
  ],
};
