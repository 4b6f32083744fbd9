import type { Migration } from '../migration-sql.ts';

const DAY_MS = 86_400_000;
const COLUMNS = 'kind, hash, account_id, subject, email, detail, expires_at, used_at';

/** Where the rest of a recovery begins, as JSON. */
const PLACE = (object: string): string =>
  `case when after_account is not null then ${object}('accountId', after_account, 'key', after_key) end`;

const recoveries = (place: string): string => `insert into mailed_links (${COLUMNS})
  select 'recovery', hash, null, null, email, ${place}, expires_at, used_at from vault_recovery_links`;

/**
 * One table of the links in mails, for six. It is the first step since 0059 that takes something away, so no instance of
 * 0.19 may run beside it: the step refuses while one reports, and renames the table in which they report, so that none joins
 * later. On SQLite the lock on the folder proves that none runs.
 *
 * A token of an approval or of a held mail worked for a day beyond the time of its row; now the row has the end.
 */
export const migration: Migration = {
  id: '0089-mailed-links',
  statements: [
    {
      sqlite: 'alter table instances rename to service_instances',
      // 10 seconds: GONE_MS in jobs/instances.ts.
      postgres: `do $$ begin
        lock table instances in access exclusive mode;
        if exists (select 1 from instances where seen_at > extract(epoch from clock_timestamp()) * 1000 - 10000) then
          raise exception 'an instance of an earlier version reported in the last 10 seconds; stop every instance, then start this version. Nothing was changed';
        end if;
        alter table instances rename to service_instances;
      end $$`,
    },
    `create table mailed_links (
      kind text not null,
      hash text not null,
      account_id text references accounts (id),
      subject text,
      email text not null,
      detail text,
      expires_at integer not null,
      used_at integer,
      primary key (kind, hash)) clustered`,
    'create index mailed_links_by_account on mailed_links (account_id)',
    'create index mailed_links_by_subject on mailed_links (subject)',
    `create unique index mailed_links_of_person on mailed_links (subject) where kind = 'confirmation'`,
    'create index mailed_links_by_expiry on mailed_links (expires_at)',

    `insert into mailed_links (${COLUMNS})
      select 'login', hash, account_id, null, email, case operator when 1 then '"operator"' end, expires_at, used_at
      from magic_links`,
    `insert into mailed_links (${COLUMNS})
      select 'confirmation', l.hash, p.account_id, p.id, p.address, '"' || l.authority || '"', l.expires_at, null
      from person_links l join people p on p.id = l.person_id`,
    // Nothing held these rows to an account. One that is left of a deleted account opens nothing.
    `insert into mailed_links (${COLUMNS})
      select 'approval', t.hash, a.id, p.id, t.email, null, t.expires_at + ${DAY_MS}, null
      from approval_tokens t join approvals p on p.id = t.approval_id join accounts a on a.id = p.holder_id`,
    `insert into mailed_links (${COLUMNS})
      select 'review', t.hash, r.account_id, r.id, t.email, null, t.expires_at + ${DAY_MS}, null
      from review_tokens t join reviews r on r.id = t.review_id`,
    `insert into mailed_links (${COLUMNS})
      select 'credential', l.hash, a.id, l.request_id, l.email, null, l.expires_at, null
      from credential_links l join accounts a on a.id = l.operator_id`,
    { sqlite: recoveries(PLACE('json_object')), postgres: recoveries(`${PLACE('json_build_object')}::text`) },

    'drop table magic_links',
    'drop table person_links',
    'drop table approval_tokens',
    'drop table review_tokens',
    'drop table credential_links',
    'drop table vault_recovery_links',
  ],
};
