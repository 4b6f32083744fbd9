import type { Migration } from '../migration-sql.ts';

/** Whether the account had one address, and a login since it was last set: then that address opened the login. */
const LOGGED_IN = `exists (
  select 1 from audit_entries l where l.account_id = a.id and l.action = 'login.session_opened' and not exists (
    select 1 from audit_entries s where s.account_id = a.id
      and s.action in ('account.recovery_email_set', 'account.operator_email_set') and s.created_at > l.created_at))`;

/** Whether a link to the address opened a session. */
const usedBy = (column: string, operator: string): string => `
  exists (select 1 from sessions s where s.account_id = a.id and s.email = a.${column}${operator})
  or exists (select 1 from magic_links s
    where s.account_id = a.id and s.email = a.${column} and s.used_at is not null${operator})`;

/** Whether the operator decided by a mailed link since the address was last set. */
const DECIDED = `
  exists (select 1 from approvals p where p.holder_id = a.id and p.resolved_by = 'mail_link' and not exists (
    select 1 from audit_entries s where s.account_id = a.id and s.action = 'account.operator_email_set'
      and s.created_at > p.resolved_at))
  or exists (select 1 from credential_requests c where c.operator_id = a.id and c.resolved_by in ('mail_link', 'session')
    and not exists (select 1 from audit_entries s where s.account_id = a.id and s.action = 'account.operator_email_set'
      and s.created_at > c.resolved_at))`;

const HANDED_OVER = `exists (select 1 from budgets b where b.account_id = a.id and b.authority = 'operator')`;

/** Copies one column. The ids are those of the accounts with another last character, so that they sort like them. */
const copy = (role: string, column: string, last: number, isConfirmed: string): string => `
  insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at, removal_due_at)
  select 'per_' || substr(a.id, 5, 25) || '${last}', a.id, '${role}', a.${column}, a.created_at, 'migration', 1,
    case when ${isConfirmed} then a.created_at else null end, null
  from accounts a where a.${column} is not null`;

const isOnly = (column: string): string =>
  ['email', 'recovery_email', 'operator_email']
    .filter((other) => other !== column)
    .map((other) => `(a.${other} is null or a.${other} = a.${column})`)
    .join(' and ');

/**
 * The addresses of people: who may log in to an account, and who may decide for it once the address is confirmed. An
 * address counts as confirmed where a link to it was used. The operators of accounts that handed the authority over keep
 * it, and are asked once.
 */
export const migration: Migration = {
  id: '0022-people',
  statements: [
    `create table people (
      id text primary key,
      account_id text not null references accounts (id),
      role text not null,
      address text not null,
      named_at integer not null,
      named_by text not null,
      old_when_confirmed integer not null,
      confirmed_at integer,
      removal_due_at integer)`,
    'create unique index people_by_key on people (account_id, role, address)',
    'create index people_by_account on people (account_id, id)',
    'create index people_by_address on people (address, id)',
    'create index people_confirmed on people (address, id) where confirmed_at is not null',

    // The link in the confirmation mail. A new mail replaces it.
    `create table person_links (
      person_id text primary key,
      hash text not null,
      authority text,
      expires_at integer not null) clustered`,
    'create unique index person_links_by_hash on person_links (hash)',
    'create index person_links_by_expiry on person_links (expires_at)',
    // Addresses whose owner said: this is not my agent.
    `create table person_refusals (
      account_id text not null,
      address text not null,
      refused_at integer not null,
      primary key (account_id, address)) clustered`,
    'create index person_refusals_by_time on person_refusals (account_id, refused_at)',
    // Approvals for one mail that lists them all, because the operator got many mails in an hour.
    `create table approval_digests (
      email text not null,
      approval_id text not null,
      primary key (email, approval_id)) clustered`,

    copy('email', 'email', 0, `${usedBy('email', '')} or (${isOnly('email')} and ${LOGGED_IN})`),
    copy(
      'recovery',
      'recovery_email',
      1,
      `${usedBy('recovery_email', '')} or (${isOnly('recovery_email')} and ${LOGGED_IN})`,
    ),
    copy(
      'operator',
      'operator_email',
      2,
      `${usedBy('operator_email', ' and s.operator = 1')} or ${DECIDED} or ${HANDED_OVER}`,
    ),
    `insert into jobs (id, lane, kind, payload, attempts, run_at, lease_until, last_error, created_at)
      select 'job_' || substr(p.id, 5), 'mail', 'mail.confirm', '{"personId":"' || p.id || '","authority":null}',
        0, 0, 0, null, p.named_at
      from people p join budgets b on b.account_id = p.account_id where p.role = 'operator' and b.authority = 'operator'`,

    'drop index accounts_by_email',
    'drop index accounts_by_recovery_email',
    'drop index accounts_by_operator_email',
    'alter table accounts drop column email',
    'alter table accounts drop column recovery_email',
    'alter table accounts drop column operator_email',
  ],
};
