import type { Migration } from '../migration-sql.ts';

/** What a row of a table takes, as an expression over `new` or `old`. */
interface Sized {
  table: string;
  size: (row: 'new' | 'old') => string;
}

const SIZED: readonly Sized[] = [
  { table: 'messages', size: (row) => `${row}.size_bytes` },
  {
    table: 'vault_versions',
    size: (row) => `octet_length(${row}.ciphertext) + coalesce(octet_length(${row}.metadata), 0)`,
  },
  {
    table: 'mail_drafts',
    size: (row) =>
      `octet_length(${row}.content) + coalesce(octet_length(${row}.text_body), 0) + coalesce(octet_length(${row}.html_body), 0)`,
  },
  { table: 'draft_attachments', size: (row) => `octet_length(${row}.content)` },
  // A sent mail is kept until it has left. Its row changes before its content goes.
  {
    table: 'outbox',
    size: (row) => `coalesce((select c.size_bytes from mail_contents c where c.id = ${row}.content_id), 0)`,
  },
];

/** Rows without a size are left out: they would only make others wait for the row of the account. */
const sqliteAdd = (size: string, sign: 1 | -1): string =>
  sign === 1
    ? `insert into account_storage (account_id, used, told) select new.account_id, ${size}, 0 where ${size} <> 0
        on conflict (account_id) do update set used = account_storage.used + excluded.used;`
    : `update account_storage set used = used - (${size}) where account_id = old.account_id;`;

const counted = ({ table, size }: Sized): Migration['statements'][number] => ({
  sqlite: `
      create trigger ${table}_stored after insert on ${table} begin ${sqliteAdd(size('new'), 1)} end;
      create trigger ${table}_unstored after delete on ${table} begin ${sqliteAdd(size('old'), -1)} end;`,
  postgres: `
      create function ${table}_storage() returns trigger language plpgsql as $$
      declare grown bigint := 0;
      begin
        if tg_op <> 'INSERT' then grown := grown - (${size('old')}); end if;
        if tg_op <> 'DELETE' then grown := grown + (${size('new')}); end if;
        if grown > 0 then
          insert into account_storage (account_id, used, told) values (new.account_id, grown, 0)
            on conflict (account_id) do update set used = account_storage.used + excluded.used;
        elsif grown < 0 then
          update account_storage set used = used + grown where account_id = old.account_id;
        end if;
        return null;
      end $$;
      create trigger ${table}_stored after insert or delete on ${table}
        for each row execute function ${table}_storage();`,
});

/** Tables whose rows change their size. */
const changing = ({ table, size }: Sized, columns: string): Migration['statements'][number] => ({
  sqlite: `create trigger ${table}_restored after update of ${columns} on ${table} begin
    ${sqliteAdd(size('old'), -1)} ${sqliteAdd(size('new'), 1)} end`,
  postgres: `create trigger ${table}_restored after update of ${columns} on ${table}
    for each row execute function ${table}_storage()`,
});

const [MESSAGES, VERSIONS, DRAFTS, , OUTBOX] = SIZED as [Sized, Sized, Sized, Sized, Sized];

/**
 * How much each account keeps, and how much of its mail each sender sent. Triggers count, so that no way to write or
 * delete a row can forget it.
 */
export const STORAGE_TRIGGERS: Migration['statements'] = [
  ...SIZED.map(counted),
  changing(DRAFTS, 'content, text_body, html_body'),
  changing(OUTBOX, 'content_id'),
  {
    sqlite: `
        create trigger messages_shared after insert on messages when new.sender_key is not null begin
          insert into storage_shares (account_id, sender, used) values (new.account_id, new.sender_key, ${MESSAGES.size('new')})
            on conflict (account_id, sender) do update set used = storage_shares.used + excluded.used; end;
        create trigger messages_unshared after delete on messages when old.sender_key is not null begin
          update storage_shares set used = used - ${MESSAGES.size('old')} where account_id = old.account_id and sender = old.sender_key;
          delete from storage_shares where account_id = old.account_id and sender = old.sender_key and used <= 0; end;
        create trigger messages_reshared after update of sender_key on messages when old.sender_key is not new.sender_key begin
          update storage_shares set used = used - ${MESSAGES.size('old')} where account_id = old.account_id and sender = old.sender_key;
          delete from storage_shares where account_id = old.account_id and sender = old.sender_key and used <= 0;
          insert into storage_shares (account_id, sender, used)
            select new.account_id, new.sender_key, ${MESSAGES.size('new')} where new.sender_key is not null
            on conflict (account_id, sender) do update set used = storage_shares.used + excluded.used; end;`,
    postgres: `
        create function messages_share() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' and old.sender_key is not null then
            update storage_shares set used = used - old.size_bytes where account_id = old.account_id and sender = old.sender_key;
            delete from storage_shares where account_id = old.account_id and sender = old.sender_key and used <= 0;
          end if;
          if tg_op <> 'DELETE' and new.sender_key is not null then
            insert into storage_shares (account_id, sender, used) values (new.account_id, new.sender_key, new.size_bytes)
              on conflict (account_id, sender) do update set used = storage_shares.used + excluded.used;
          end if;
          return null;
        end $$;
        create trigger messages_shared after insert or delete on messages for each row execute function messages_share();
        create trigger messages_reshared after update of sender_key on messages for each row
          when (old.sender_key is distinct from new.sender_key) execute function messages_share();`,
  },
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
  // A full key's oldest version is overwritten by its newest.
  {
    sqlite: `create trigger vault_versions_restored after update of ciphertext, metadata on vault_versions
        when ${VERSIONS.size('new')} <> ${VERSIONS.size('old')} begin
          update account_storage set used = used + (${VERSIONS.size('new')}) - (${VERSIONS.size('old')}) where account_id = old.account_id; end`,
    postgres: `create trigger vault_versions_restored after update of ciphertext, metadata on vault_versions
        for each row execute function vault_versions_storage()`,
  },
];
