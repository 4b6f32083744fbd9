import { forPostgres, forSqlite } from '../../src/db/migration-sql.ts';
import type { Engine } from './harness.ts';

const DAY_MS = 86_400_000;

/** Brings the links of mails back to the six tables of 0.19, as they were before the step 0089. */
export async function undoMailedLinks(engine: Engine, run: (text: string) => Promise<unknown>): Promise<void> {
  const placeOf = (name: string): string =>
    engine === 'sqlite' ? `detail ->> '${name}'` : `detail::json ->> '${name}'`;
  const times = 'expires_at integer not null, used_at integer';
  const decided = `hash text primary key, email text not null, expires_at integer not null`;
  const statements = [
    `create table magic_links (hash text primary key, account_id text not null, email text not null,
      operator integer not null, created_at integer not null, ${times})`,
    `insert into magic_links select hash, account_id, email, case when detail is null then 0 else 1 end, 0, expires_at,
      used_at from mailed_links where kind = 'login'`,
    `create table person_links (person_id text primary key, hash text not null, authority text, expires_at integer not null)`,
    `insert into person_links select subject, hash, replace(detail, '"', ''), expires_at from mailed_links
      where kind = 'confirmation'`,
    `create table approval_tokens (approval_id text not null, ${decided})`,
    `insert into approval_tokens select subject, hash, email, expires_at - ${DAY_MS} from mailed_links where kind = 'approval'`,
    `create table review_tokens (review_id text not null, ${decided})`,
    `insert into review_tokens select subject, hash, email, expires_at - ${DAY_MS} from mailed_links where kind = 'review'`,
    `create table credential_links (operator_id text not null, request_id text not null, ${decided})`,
    `insert into credential_links select account_id, subject, hash, email, expires_at from mailed_links
      where kind = 'credential'`,
    `create table vault_recovery_links (hash text primary key, email text not null, after_account text, after_key text, ${times})`,
    `insert into vault_recovery_links select hash, email, ${placeOf('accountId')}, ${placeOf('key')}, expires_at, used_at
      from mailed_links where kind = 'recovery'`,
    'drop table mailed_links',
  ];
  for (const statement of statements) await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
}
