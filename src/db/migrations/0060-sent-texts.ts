import type { Migration } from '../migration-sql.ts';

/** The texts of sent mail that are longer than what its conversation shows. They count as storage, as in 0058. */
export const migration: Migration = {
  id: '0060-sent-texts',
  statements: [
    `create table sent_texts (
      outbox_id text primary key,
      account_id text not null references accounts (id),
      content text not null)`,
    'create index sent_texts_by_account on sent_texts (account_id, outbox_id)',
    {
      sqlite: `
        create trigger sent_texts_stored after insert on sent_texts begin
          insert into account_storage (account_id, used, told) values (new.account_id, octet_length(new.content), 0)
            on conflict (account_id) do update set used = account_storage.used + excluded.used; end;
        create trigger sent_texts_unstored after delete on sent_texts begin
          update account_storage set used = used - octet_length(old.content) where account_id = old.account_id; end;`,
      postgres: `
        create function sent_texts_storage() returns trigger language plpgsql as $$
        begin
          if tg_op = 'INSERT' then
            insert into account_storage (account_id, used, told) values (new.account_id, octet_length(new.content), 0)
              on conflict (account_id) do update set used = account_storage.used + excluded.used;
          else
            update account_storage set used = used - octet_length(old.content) where account_id = old.account_id;
          end if;
          return null;
        end $$;
        create trigger sent_texts_stored after insert or delete on sent_texts
          for each row execute function sent_texts_storage();`,
    },
  ],
};
