import type { Migration } from '../migration-sql.ts';

/** What the kept bytes of a draft take, as an expression over `new` or `old`. Its row changes before its content goes. */
const size = (row: 'new' | 'old'): string =>
  `coalesce((select c.size_bytes from mail_contents c where c.id = ${row}.content_id), 0)`;

const ADD = `insert into account_storage (account_id, used, told) values (new.account_id, ${size('new')}, 0)
  on conflict (account_id) do update set used = account_storage.used + excluded.used;`;
const TAKE = `update account_storage set used = used - ${size('old')} where account_id = old.account_id;`;

/**
 * Sent mail that a mail program brought, which no list of the outbox shows, and sent mail that a mail program took out of
 * its folder. And the bytes of drafts that mail programs wrote, which count as storage.
 */
export const migration: Migration = {
  id: '0109-mail-that-stays',
  statements: [
    'alter table outbox add column is_imported integer not null default 0',
    'alter table outbox add column is_expunged integer not null default 0',
    'create index outbox_listed on outbox (account_id, is_imported, id)',
    'drop index outbox_by_address',
    'create index outbox_by_address on outbox (address, is_imported, id)',
    'alter table mail_drafts add column content_id text',
    {
      sqlite: `
        create trigger mail_drafts_kept after insert on mail_drafts when new.content_id is not null begin ${ADD} end;
        create trigger mail_drafts_unkept after delete on mail_drafts when old.content_id is not null begin ${TAKE} end;
        create trigger mail_drafts_rekept after update of content_id on mail_drafts
          when old.content_id is not new.content_id begin ${TAKE} ${ADD} end;`,
      postgres: `
        create function mail_drafts_kept() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' then ${TAKE} end if;
          if tg_op <> 'DELETE' then ${ADD} end if;
          return null;
        end $$;
        create trigger mail_drafts_kept after insert on mail_drafts
          for each row when (new.content_id is not null) execute function mail_drafts_kept();
        create trigger mail_drafts_unkept after delete on mail_drafts
          for each row when (old.content_id is not null) execute function mail_drafts_kept();
        create trigger mail_drafts_rekept after update of content_id on mail_drafts
          for each row when (old.content_id is distinct from new.content_id) execute function mail_drafts_kept();`,
    },
  ],
};
